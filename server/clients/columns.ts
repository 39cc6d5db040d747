import { fold } from '#server/search/contract.ts';
import type { ClientField } from './contract.ts';
import { isPan, normaliseIdentifier } from './identifiers.ts';

/** What offices write above a column, folded and without signs. */
const HEADINGS: Record<ClientField, string> = {
  name: 'name|client name|name of client|client|assessee|assessee name|name of assessee|party|party name|company name|trade name|legal name|customer name',
  email: 'email|e mail|email id|e mail id|emailid|email address|e mail address|mail|mail id',
  phone:
    'phone|mobile|mob|mobile no|mob no|mobile number|cell|cell no|phone no|ph no|phone number|contact|contact no|contact number|whatsapp|whatsapp no|telephone|tel|tel no',
  client_type: 'type|client type|constitution|category|entity type|status of assessee',
  city: 'city|town|place|district',
  status: 'status|client status|active|active inactive',
  pan: 'pan|pan no|pan number|pan card|pan card no|it pan',
  gstin: 'gstin|gst|gst no|gst number|gstin no|gstin number|gstin uin|gst in|gst registration no',
  tan: 'tan|tan no|tan number',
  cin: 'cin|cin no|llpin|cin llpin|llpin cin|registration no',
  born_on:
    'dob|date of birth|birth date|doi|date of incorporation|incorporation date|dob doi|date of birth or incorporation|dob doi',
  address: 'address|full address|postal address|residential address|office address',
  group_name: 'group|group name|family|family group|file group',
  notes: 'notes|note|remarks|remark|comments',
};

const plainly = (heading: string): string =>
  fold(heading)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

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
    const plain = plainly(heading);
    const named = (Object.keys(HEADINGS) as ClientField[]).find((one) =>
      HEADINGS[one].split('|').includes(plain),
    );
    // In a tax return the status is what kind of person somebody is.
    const kind = named === 'status' && (PERSON.test(sample(at)) || BODY.test(sample(at)));
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

/** An Indian mobile number without what stands before its ten digits; any other as it is. */
function readPhone(given: string): string {
  // A number that went through a program as a fraction.
  const text = given.replace(/\.0$/, '');
  const mobile = /^(?:\+?91|0)([6-9]\d{9})$/.exec(text.replace(/[\s()./-]/g, ''));
  return mobile?.[1] ?? text;
}

const PERSON =
  /^(?:individual|ind|person|salaried|(?:sole )?propriet(?:or|orship|ary)(?: concern)?|prop\.?|huf|hindu undivided family|p|h)$/i;
const BODY =
  /^(?:company|co|pvt\.? ?(?:ltd\.?|limited)|private (?:limited|ltd\.?)(?: company)?|public (?:limited|ltd\.?)(?: company)?|limited|ltd|opc|llp|firm|partnership(?: firm)?|trust|society|ngo|aop|boi|aop\/boi|c|f|t)$/i;
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
  if (field === 'phone') return readPhone(plain);
  if (field === 'born_on') return readDay(plain);
  if (field === 'client_type')
    return PERSON.test(plain) ? 'Individual' : BODY.test(plain) ? 'Company' : plain;
  if (field === 'status') {
    if (/^(?:active|yes|y|1|true|live|current)$/i.test(plain)) return 'Active';
    return /^(?:inactive|no|n|0|false|closed|left|dormant)$/i.test(plain) ? 'Inactive' : plain;
  }
  return plain;
}

/** For a row that does not say: the PAN does. */
export function typeByPan(pan: string | undefined): 'Individual' | 'Company' {
  const normal = normaliseIdentifier(pan ?? '');
  return isPan(normal) && !'PH'.includes(normal[3]!) ? 'Company' : 'Individual';
}
