import { fold } from '#server/text/fold.ts';
import type { ClientField, ClientType } from './contract.ts';
import { plainPhone, typeOfPan } from './contract.ts';
import { isCin, normaliseIdentifier } from './identifiers.ts';

/** What offices write above a column, as `headingKey` reads it: in any order, with or without "no", "of the" and the like. */
const HEADINGS: Record<ClientField, string> = {
  name: 'name|client name|client|assessee|assessee name|party|party name|company name|trade name|legal name|legal name business|business name|customer|customer name|firm name|tax payer name|taxpayer name|entity name|concern name|deductor name|account name|organisation name|full name|client full name|name party|particulars name',
  email:
    'email|e mail|emailid|email address|e mail address|mail|mail address|contact email|registered email|primary email',
  phone:
    'phone|mobile|mob|cell|ph|contact|whatsapp|whats app|telephone|tel|mobile phone|contact mobile|registered mobile|primary mobile|contact phone|mobile 1|phone 1',
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

/** Words of a heading that change nothing: `PAN No.`, `Name of the Assessee`, `E-mail ID`. */
const FILLERS = new Set('a an as for no nos number num id ids of per s the in full if any'.split(' '));

const plainly = (heading: string): string =>
  fold(heading)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** As `plainly`, and `D.O.B.` is one word. */
const withInitials = (text: string): string =>
  plainly(text).replace(/(?<!\S)\p{L}(?: \p{L}(?!\S))+/gu, (letters) => letters.replaceAll(' ', ''));

/** The words of a heading that count, in one order. */
function headingKey(heading: string): string {
  const all = withInitials(heading).split(' ');
  const counting = all.filter((word) => !FILLERS.has(word));
  return (counting.length > 0 ? counting : all).toSorted().join(' ');
}

const FIELD_OF = new Map(
  (Object.entries(HEADINGS) as [ClientField, string][]).flatMap(([field, headings]) =>
    headings.split('|').map((heading) => [headingKey(heading), field] as const),
  ),
);

/**
 * Which field each column is, each field at most once; null where nothing is known.
 * @param sample the first text of a column.
 */
export function guessFields(
  header: readonly string[],
  sample: (at: number) => string = () => '',
): (ClientField | null)[] {
  const taken = new Set<ClientField>();
  return header.map((heading, at) => {
    const named = FIELD_OF.get(headingKey(heading));
    // In a tax return the status is what kind of person somebody is.
    const kind = named === 'status' && typeNamed(sample(at)) !== null;
    const field = kind ? 'client_type' : named;
    if (!field || taken.has(field)) return null;
    taken.add(field);
    return field;
  });
}

/** How many columns this row names, taken as the one with the headings. */
export const headingsIn = (row: readonly string[]): number =>
  guessFields(row).filter((field) => field !== null).length;

/** Where the headings are: lists begin with the office's name and a date as often as not. */
export function headingRow(rows: readonly (readonly string[])[]): number {
  const found = rows.slice(0, 20).map(headingsIn);
  const most = Math.max(...found);
  if (most > 0) return found.indexOf(most);
  return Math.max(
    0,
    rows.findIndex((row) => row.filter((text) => text !== '').length > 1),
  );
}

/** Whether a row closes a list and is no client: `Grand Total`, `Total clients: 45`. */
export const isTotal = (row: readonly string[]): boolean =>
  /^(?:(?:grand|sub) )?totals?(?: (?:no of )?clients?)?(?: \d+)?$/.test(
    plainly(row.find((text) => /\p{L}/u.test(text)) ?? ''),
  );

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const DAY_MS = 86_400_000;
/** Day 0 of Excel, which takes 1900 for a leap year. */
const EXCEL_EPOCH = Date.UTC(1899, 11, 30);

/** Day first, as everywhere in India; two digits of a year as Excel takes them. What is no date comes back as it was. */
export function readDay(given: string): string {
  const text = given.replace(/[ T]00:00(?::00(?:\.0+)?)?$/, '');
  // A date in a column that Excel shows as numbers.
  if (/^\d{5}$/.test(text)) return new Date(EXCEL_EPOCH + Number(text) * DAY_MS).toISOString().slice(0, 10);
  const numeric = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})$/.exec(text);
  const worded = /^(\d{1,2})(?:st|nd|rd|th)?[\s/.-]*([a-z]{3})[a-z]*[\s/.,-]*(\d{4}|\d{2})$/i.exec(text);
  const [, day, month, year] = numeric ?? worded ?? [];
  if (!day || !month || !year) return given;
  const number = worded ? MONTHS.indexOf(month.toLowerCase()) + 1 : Number(month);
  if (number < 1 || number > 12) return given;
  const whole = year.length === 4 ? year : `${Number(year) < 30 ? 20 : 19}${year}`;
  return `${whole}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
}

const LIMITED = '(?:ltd|limited)';
/** What offices write for each type, lower case and without signs. */
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

/** The type of client that a cell names; null for what is none. */
function typeNamed(text: string): ClientType | null {
  const plain = withInitials(text);
  return TYPES.find(([, words]) => words.test(plain))?.[0] ?? null;
}

/** What stands in a cell that has nothing to say. */
const NOTHING =
  /^(?:[-.–—]+|n\.?\s?[/.]?\s?a\.?|nil|none|null|not (?:available|applicable|applied|known)|applied for|un-?registered|urp|urd)$/i;

/** What a formula leaves that points to an empty cell, or to none. */
const POINTLESS = /^(?:0|#(?:n\/a|ref!|value!|name\?|div\/0!|null!|num!))$/i;

/** The words of a cell as the field wants them; what is not understood stays, and is then told as wrong. */
export function readCell(field: ClientField, text: string): string {
  // Put there by spreadsheets, and by our own export, so that the rest is not taken for a formula.
  const plain = text.replace(/^'(?=[=+\-@\t\r\d])/, '').trim();
  if (field !== 'name' && NOTHING.test(plain)) return '';
  if (POINTLESS.test(plain) && !(field === 'status' && plain === '0')) return '';
  // A number that went through a program as a fraction.
  if (field === 'phone') return plainPhone(plain.replace(/\.0$/, ''));
  if (field === 'born_on') return readDay(plain);
  if (field === 'client_type') return typeNamed(plain) ?? plain;
  if (field === 'status') {
    if (/^(?:active|yes|y|1|true|live|current)$/i.test(plain)) return 'Active';
    return /^(?:inactive|no|n|0|false|closed|left|dormant)$/i.test(plain) ? 'Inactive' : plain;
  }
  return plain;
}

/** For a row that does not say: the PAN does, and a partnership's LLPIN. */
export function typeByNumbers({ pan = '', cin = '' }: { pan?: string; cin?: string }): ClientType {
  const type = typeOfPan(normaliseIdentifier(pan)) ?? 'Individual';
  const register = normaliseIdentifier(cin);
  if (isCin(register) && (type === 'Firm' || pan === '')) return register.includes('-') ? 'LLP' : 'Company';
  return type;
}
