import { financialYear, spanOfYear, yearOfFolder } from '#server/text/years.ts';

/** The folder for a document type, and the words that identify existing folders for it, the most specific first. */
interface Heading {
  name: string;
  words: string[];
  /** Not filed by year, such as a PAN card. */
  lasting?: boolean;
}

const INCOME_TAX = ['income tax', 'incometax', 'itr', 'it returns', 'direct tax'];
const GST = ['gst', 'indirect tax'];

const HEADINGS: Record<string, Heading> = {
  form_16: { name: 'Income tax', words: ['form 16', 'form 130', ...INCOME_TAX] },
  form_16a: { name: 'Income tax', words: ['form 16a', '16a', 'form 131', 'form 16', ...INCOME_TAX] },
  form_26as: { name: 'Income tax', words: ['26as', 'form 168', ...INCOME_TAX] },
  ais: { name: 'Income tax', words: ['ais', '26as', ...INCOME_TAX] },
  tis: { name: 'Income tax', words: ['tis', 'ais', '26as', ...INCOME_TAX] },
  itr_v: { name: 'Income tax', words: ['itr-v', 'itr', ...INCOME_TAX] },
  itr: { name: 'Income tax', words: ['itr', ...INCOME_TAX] },
  computation: { name: 'Income tax', words: ['computation', ...INCOME_TAX] },
  challan_income_tax: { name: 'Income tax', words: ['challan', ...INCOME_TAX] },
  gstr_1: { name: 'GST', words: ['gstr-1', 'gstr1', ...GST] },
  gstr_2b: { name: 'GST', words: ['gstr-2b', 'gstr2b', ...GST] },
  gstr_3b: { name: 'GST', words: ['gstr-3b', 'gstr3b', ...GST] },
  gstr_9: { name: 'GST', words: ['gstr-9', 'annual return', ...GST] },
  challan_gst: { name: 'GST', words: ['challan', ...GST] },
  gst_registration: { name: 'KYC', words: ['registration', 'kyc', 'permanent'], lasting: true },
  eway_bill: { name: 'GST', words: ['e-way', 'eway', ...GST] },
  e_invoice: { name: 'Invoices', words: ['invoice', 'bills', 'sales', 'purchase'] },
  invoice: { name: 'Invoices', words: ['invoice', 'bills', 'sales', 'purchase'] },
  credit_note: { name: 'Invoices', words: ['credit note', 'invoice', 'bills', 'sales'] },
  challan_tds: { name: 'TDS', words: ['tds challan', 'challan', 'tds'] },
  challan_pf: { name: 'PF and ESI', words: ['pf', 'provident'] },
  challan_esi: { name: 'PF and ESI', words: ['esi', 'pf'] },
  bank_statement: { name: 'Bank', words: ['bank statement', 'bank'] },
  cheque: { name: 'Bank', words: ['cheque', 'bank'] },
  balance_sheet: {
    name: 'Accounts',
    words: ['financial statement', 'balance sheet', 'accounts', 'final accounts', 'audit'],
  },
  ledger: { name: 'Accounts', words: ['ledger', 'books', 'accounts'] },
  audit_report: { name: 'Audit', words: ['audit report', 'audit', 'accounts'] },
  notice: { name: 'Notices', words: ['notice', 'assessment', 'correspondence'] },
  engagement_letter: { name: 'Engagement', words: ['engagement'] },
  pan_card: { name: 'KYC', words: ['kyc', 'identity', 'permanent'], lasting: true },
  aadhaar: { name: 'KYC', words: ['kyc', 'identity', 'permanent'], lasting: true },
  incorporation: { name: 'KYC', words: ['incorporation', 'kyc', 'constitution', 'permanent'], lasting: true },
  deed: { name: 'KYC', words: ['deed', 'constitution', 'kyc', 'permanent'], lasting: true },
  payslip: { name: 'Payroll', words: ['payroll', 'payslip', 'salary'] },
};

export const isLasting = (type: string | null): boolean => (type ? HEADINGS[type]?.lasting === true : false);

const normalise = (name: string): string => name.toLowerCase().replace(/[\s_.-]+/g, ' ');
const containsWord = (name: string, word: string): boolean =>
  new RegExp(`(?:^|[^a-z0-9])${normalise(word).replace(/ /g, ' ?')}s?(?:$|[^a-z0-9])`).test(normalise(name));

/** How well a folder below the client's own fits, higher is better; null if it does not. */
function scoreOf(path: readonly string[], heading: Heading, year: number | null): number | null {
  const years = path.flatMap((name) => yearOfFolder(name) ?? []);
  if (years.some((yearInPath) => yearInPath !== year) && !(heading.lasting && years.length === 0))
    return null;
  if (!heading.lasting && year !== null && years.length === 0) return null;
  const wordIndex = heading.words.findIndex((word) =>
    path.some((name) => yearOfFolder(name) === null && containsWord(name, word)),
  );
  if (wordIndex < 0) return null;
  // The most specific word counts most; of two equal folders, the upper one.
  return 100 - 10 * wordIndex - path.length;
}

/**
 * The folder for a document below the client's own, outermost first: an existing one or one from the firm's
 * templates, else the year and a heading.
 * @param existing paths below the client's folder.
 * @param templates paths that the firm's templates create for the year.
 */
export function folderFor(
  type: string | null,
  year: number | null,
  existing: readonly (readonly string[])[],
  templates: readonly (readonly string[])[],
): string[] {
  const heading = type === null ? undefined : HEADINGS[type];
  if (!heading) return [];
  const bestOf = (paths: readonly (readonly string[])[]) =>
    paths
      .flatMap((path) => {
        const score = scoreOf(path, heading, year);
        return score === null ? [] : [{ path, score }];
      })
      .toSorted((a, b) => b.score - a.score)[0]?.path;
  const fitting = bestOf(existing) ?? bestOf(templates);
  if (fitting) return [...fitting];
  if (heading.lasting || year === null) return [heading.name];
  const yearFolder = existing.find((path) => path.length === 1 && yearOfFolder(path[0]!) === year);
  const hasBareYears = existing.some((path) => path.length === 1 && /^\d{4}-\d{2}$/.test(path[0]!));
  return [yearFolder?.[0] ?? (hasBareYears ? spanOfYear(year) : financialYear(year)), heading.name];
}
