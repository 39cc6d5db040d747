import { FILE_GROUPS, spellingsOf } from '#server/documents/contract.ts';
import { DOCUMENT_TYPES } from '#server/recognition/contract.ts';
import { otherNumbersOf } from '#server/text/income-tax-forms.ts';

/** The meaning of a `type:` filter: recognised types of documents, file extensions, or folders. */
interface NamedTypes {
  types: string[];
  files: string[];
  folders: boolean;
}

const normalize = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, '');

/** Synonyms of the keys of document types. */
const SYNONYMS: Record<string, string> = {
  income_tax_return: 'itr',
  return: 'itr',
  acknowledgement: 'itr_v',
  bank: 'bank_statement',
  statement: 'bank_statement',
  challan: 'challan_income_tax challan_tds challan_gst challan_pf challan_esi',
  tds_challan: 'challan_tds',
  gst_challan: 'challan_gst',
  pf_challan: 'challan_pf',
  esi_challan: 'challan_esi',
  gst: 'gstr_1 gstr_2b gstr_3b gstr_9 gst_registration challan_gst',
  gst_certificate: 'gst_registration',
  registration_certificate: 'gst_registration',
  pan: 'pan_card',
  aadhar: 'aadhaar',
  aadhaar_card: 'aadhaar',
  bill: 'invoice',
  tax_invoice: 'invoice',
  engagement: 'engagement_letter',
  salary_slip: 'payslip',
  '26as': 'form_26as',
  '16': 'form_16',
  '16a': 'form_16a',
};

const typesByName = new Map<string, readonly string[]>([
  ...Object.entries(SYNONYMS).map(([name, keys]) => [normalize(name), keys.split(' ')] as const),
  ...Object.keys(DOCUMENT_TYPES).map((key) => [normalize(key), [key]] as const),
]);
const extensionsByName = new Map<string, readonly string[]>(
  Object.values(FILE_GROUPS).flatMap((group) =>
    group.split(' ').map((ending) => [ending, spellingsOf(ending)] as const),
  ),
);
for (const [group, types] of Object.entries(FILE_GROUPS)) extensionsByName.set(group, types.split(' '));

/** Resolves the value of a `type:` filter: `form 16`, `Form 130`, `bank statement`, `pdf`, `folder`; null if unknown. */
export function parseTypeFilter(text: string): NamedTypes | null {
  const name = normalize(text);
  if (name === 'folder') return { types: [], files: [], folders: true };
  const number = name.replace(/^form/, '');
  const types =
    typesByName.get(name) ?? otherNumbersOf(number).flatMap((other) => typesByName.get(`form${other}`) ?? []);
  const files = extensionsByName.get(name) ?? [];
  return types.length + files.length > 0 ? { types: [...types], files: [...files], folders: false } : null;
}
