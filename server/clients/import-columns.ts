import { fold } from '#server/text/fold.ts';
import type { ClientField, ClientType } from './contract.ts';
import { plainPhone, typeOfPan } from './contract.ts';
import { isCin, normaliseIdentifier } from './identifiers.ts';

/**
 * Known column headings, split into words by `headingKey`: the order of the words and fillers such as "no" and "of
 * the" do not matter.
 */
const HEADINGS: Record<ClientField, string> = {
  name: 'name|client name|client|assessee|assessee name|party|party name|company name|trade name|legal name|legal name business|business name|customer|customer name|firm name|tax payer name|taxpayer name|entity name|concern name|deductor name|account name|organisation name|full name|client full name|name party|particulars name',
  email:
    'email|e mail|emailid|email address|e mail address|mail|mail address|contact email|registered email|primary email',
  phone:
    'phone|mobile|mob|cell|ph|contact|whatsapp|whats app|telephone|tel|mobile phone|contact mobile|registered mobile|primary mobile|contact phone|mobile 1|phone 1',
  language: 'language|preferred language|communication language|correspondence language',
  client_type:
    'type|client type|constitution|constitution business|category|entity type|assessee status|assessee type|business type|legal status|type assessee|nature entity',
  city: 'city|town|place|district|station|city town|town city|city district|city village|location|town village',
  status: 'status|client status|active|active inactive|active status',
  pan: 'pan|pan card|it pan|permanent account|permanent account pan|pan assessee|client pan|income tax pan|pan it',
  gstin:
    'gstin|gst|gst in|gstin uin|gst registration|gst identification|goods and services tax identification|goods services tax identification|gst gstin|gst tin',
  tan: 'tan|tax deduction account|tax deduction and collection account|tan tds|tds tan',
  cin: 'cin|llpin|cin llpin|registration|corporate identity|corporate identification|company registration|cin llp in|mca',
  born_on:
    'dob|date birth|birth date|doi|date incorporation|incorporation date|dob doi|date birth or incorporation|dob or doi|date birth incorporation|date formation|formation date|birth incorporation date|birthday|born on|incorporated on|date registration',
  address:
    'address|full address|postal address|residential address|office address|registered address|communication address|correspondence address|registered office address|registered office|residence address|address line|client address|permanent address',
  group_name:
    'group|group name|family|family group|file group|client group|family name|group family|group head|business group',
  notes: 'notes|note|remarks|remark|comments|comment|narration',
};

/** Words that do not change the meaning of a heading: `PAN No.`, `Name of the Assessee`, `E-mail ID`. */
const FILLERS = new Set('a an as for no nos number num id ids of per s the in full if any'.split(' '));

const normaliseText = (heading: string): string =>
  fold(heading)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Also joins initials: `D.O.B.` becomes one word. */
const joinInitials = (text: string): string =>
  normaliseText(text).replace(/(?<!\S)\p{L}(?: \p{L}(?!\S))+/gu, (letters) => letters.replaceAll(' ', ''));

/** The significant words of a heading, sorted. */
function headingKey(heading: string): string {
  const all = joinInitials(heading).split(' ');
  const significant = all.filter((word) => !FILLERS.has(word));
  return (significant.length > 0 ? significant : all).toSorted().join(' ');
}

const FIELD_OF = new Map(
  (Object.entries(HEADINGS) as [ClientField, string][]).flatMap(([field, headings]) =>
    headings.split('|').map((heading) => [headingKey(heading), field] as const),
  ),
);

/**
 * Guesses the field of each column, each field at most once; null for an unknown column.
 * @param sample the first text of a column.
 */
export function guessFields(
  header: readonly string[],
  sample: (column: number) => string = () => '',
): (ClientField | null)[] {
  const taken = new Set<ClientField>();
  return header.map((heading, index) => {
    const fieldByHeading = FIELD_OF.get(headingKey(heading));
    // In tax returns, "status" means the type of taxpayer.
    const isClientType = fieldByHeading === 'status' && parseClientType(sample(index)) !== null;
    const field = isClientType ? 'client_type' : fieldByHeading;
    if (!field || taken.has(field)) return null;
    taken.add(field);
    return field;
  });
}

/** The number of known headings in this row. */
export const countHeadings = (row: readonly string[]): number =>
  guessFields(row).filter((field) => field !== null).length;

/** The index of the heading row: lists often begin with the name of the office and a date. */
export function headingRow(rows: readonly (readonly string[])[]): number {
  const counts = rows.slice(0, 20).map(countHeadings);
  const most = Math.max(...counts);
  if (most > 0) return counts.indexOf(most);
  return Math.max(
    0,
    rows.findIndex((row) => row.filter((text) => text !== '').length > 1),
  );
}

/** Whether the row is a total instead of a client: `Grand Total`, `Total clients: 45`. */
export const isTotal = (row: readonly string[]): boolean =>
  /^(?:(?:grand|sub) )?totals?(?: (?:no of )?clients?)?(?: \d+)?$/.test(
    normaliseText(row.find((text) => /\p{L}/u.test(text)) ?? ''),
  );

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const DAY_MS = 86_400_000;
/** Day 0 of Excel, which treats 1900 as a leap year. */
const EXCEL_EPOCH = Date.UTC(1899, 11, 30);

/**
 * Parses a date with the day first, as usual in India; two-digit years follow the rule of Excel. Other text is
 * returned unchanged.
 */
export function parseDate(input: string): string {
  const text = input.replace(/[ T]00:00(?::00(?:\.0+)?)?$/, '');
  // A date serial number, from a column that Excel formats as numbers.
  if (/^\d{5}$/.test(text)) return new Date(EXCEL_EPOCH + Number(text) * DAY_MS).toISOString().slice(0, 10);
  const numeric = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})$/.exec(text);
  const worded = /^(\d{1,2})(?:st|nd|rd|th)?[\s/.-]*([a-z]{3})[a-z]*[\s/.,-]*(\d{4}|\d{2})$/i.exec(text);
  const [, day, month, year] = numeric ?? worded ?? [];
  if (!day || !month || !year) return input;
  const monthNumber = worded ? MONTHS.indexOf(month.toLowerCase()) + 1 : Number(month);
  if (monthNumber < 1 || monthNumber > 12) return input;
  const fullYear = year.length === 4 ? year : `${Number(year) < 30 ? 20 : 19}${year}`;
  return `${fullYear}-${String(monthNumber).padStart(2, '0')}-${day.padStart(2, '0')}`;
}

const LIMITED = '(?:ltd|limited)';
/** The usual names of each client type, in lower case without punctuation. */
const TYPES: readonly [type: ClientType, words: RegExp][] = [
  [
    'Individual',
    /^(?:individuals?|ind|indl|person|salaried|(?:sole )?propriet(?:or|orship|ary)(?: (?:concern|firm))?|prop|p|resident individual|self employed)$/,
  ],
  ['HUF', /^(?:huf|hindu undivided family|h)$/],
  ['LLP', /^(?:llp|limited liability partnership(?: firm)?)$/],
  ['Firm', /^(?:firm|partnership(?: firm)?|partnership concern|registered firm|f)$/],
  [
    'Company',
    new RegExp(
      `^(?:(?:pvt|private|public|pub|unlisted|listed|domestic|foreign|unlimited|indian) ?)*(?:${LIMITED} ?)?(?:co|comp|company|companies|corp|corporation|corporate)$` +
        `|^(?:(?:pvt|private|public|pub|unlisted|listed) )*${LIMITED}$|^(?:pvt|opc|one person company|psu|nbfc|c)(?: (?:pvt )?${LIMITED})?$` +
        `|^(?:section 8|producer|nidhi|holding|subsidiary|government) company$`,
    ),
  ],
  ['Trust', /^(?:(?:public|private|charitable|religious|family) )*trust$|^t$/],
  [
    'AOP/BOI',
    /^(?:aop|boi|aop boi|boi aop|association of persons?|body of individuals?|ajp|artificial juridical person)$/,
  ],
  [
    'Society',
    /^(?:(?:co ?op(?:erative)?|housing|charitable|registered|credit) )*(?:society|soc)$|^chs$|^ngo$|^club$|^association$/,
  ],
  [
    'Government',
    /^(?:(?:central|state|local) )?(?:government|govt)(?: (?:dept|department|body))?$|^local authority$|^municipality$|^panchayat$/,
  ],
];

/** The client type in a cell; null for other text. */
function parseClientType(text: string): ClientType | null {
  const plain = joinInitials(text);
  return TYPES.find(([, words]) => words.test(plain))?.[0] ?? null;
}

/** Placeholders for an empty cell. */
const EMPTY_CELL =
  /^(?:[-.–—]+|n\.?\s?[/.]?\s?a\.?|nil|none|null|not (?:available|applicable|applied|known)|applied for|un-?registered|urp|urd)$/i;

/** The results of a formula that refers to an empty or missing cell. */
const EMPTY_FORMULA = /^(?:0|#(?:n\/a|ref!|value!|name\?|div\/0!|null!|num!))$/i;

/** Normalises a cell for its field. Unreadable text is returned unchanged, so that validation reports it. */
export function parseCell(field: ClientField, text: string): string {
  // Spreadsheets, and our own export, prefix an apostrophe to keep text from being read as a formula.
  const shown = text.replace(/^'(?=[=+\-@\t\r\d])/, '').trim();
  // Cells break lines with Alt+Enter, and Tally pads names with spaces.
  const plain = field === 'address' || field === 'notes' ? shown : shown.replace(/\s+/g, ' ');
  if (field !== 'name' && EMPTY_CELL.test(plain)) return '';
  if (EMPTY_FORMULA.test(plain) && !(field === 'status' && plain === '0')) return '';
  // Some programs save a number as a fraction.
  if (field === 'phone') return plainPhone(plain.replace(/\.0$/, ''));
  if (field === 'born_on') return parseDate(plain);
  if (field === 'language') {
    if (/^en(?:g|glish)?$/i.test(plain)) return 'en';
    return /^(?:hi(?:ndi)?|हिन्दी|हिंदी)$/i.test(plain) ? 'hi' : plain;
  }
  if (field === 'client_type') return parseClientType(plain) ?? plain;
  if (field === 'status') {
    if (/^(?:active|yes|y|1|true|live|current)$/i.test(plain)) return 'Active';
    return /^(?:inactive|no|n|0|false|closed|left|dormant)$/i.test(plain) ? 'Inactive' : plain;
  }
  return plain;
}

/** The client type of a row that does not name one: from the PAN and the name, or from the LLPIN of a partnership. */
export function inferClientType({
  name = '',
  pan = '',
  cin = '',
}: Partial<Record<'name' | 'pan' | 'cin', string>>): ClientType {
  const type = typeOfPan(normaliseIdentifier(pan), name) ?? 'Individual';
  const companyNumber = normaliseIdentifier(cin);
  if (isCin(companyNumber) && (type === 'Firm' || pan === ''))
    return companyNumber.includes('-') ? 'LLP' : 'Company';
  return type;
}
