import { fold } from '#server/search/contract.ts';
import type { ClientField } from './contract.ts';
import { isPan, normaliseIdentifier } from './identifiers.ts';

/** What offices write above a column, folded and without signs. */
const HEADINGS: Record<ClientField, string> = {
  name: 'name|client name|name of client|client|assessee|assessee name|name of assessee|party|party name|company name|trade name|legal name|customer name',
  email: 'email|e mail|email id|e mail id|email address|mail|mail id',
  phone:
    'phone|mobile|mobile no|mobile number|phone no|phone number|contact|contact no|contact number|telephone',
  client_type: 'type|client type|constitution|category|entity type|status of assessee',
  city: 'city|town|place|district',
  status: 'status|client status|active|active inactive',
  pan: 'pan|pan no|pan number|pan card',
  gstin: 'gstin|gst|gst no|gst number|gstin no|gstin uin|gst in',
  tan: 'tan|tan no|tan number',
  cin: 'cin|cin no|llpin|cin llpin|llpin cin|registration no',
  born_on:
    'dob|date of birth|birth date|doi|date of incorporation|incorporation date|dob doi|date of birth or incorporation|dob doi',
  address: 'address|full address|postal address|residential address|office address',
  group_name: 'group|group name|family|family group|file group',
  notes: 'notes|note|remarks|remark|comments',
};

/** Which field each column is, each field at most once; null where nothing is known. */
export function guessFields(header: readonly string[]): (ClientField | null)[] {
  const taken = new Set<ClientField>();
  return header.map((heading) => {
    const plain = fold(heading)
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
    const field = (Object.keys(HEADINGS) as ClientField[]).find((one) =>
      HEADINGS[one].split('|').includes(plain),
    );
    if (!field || taken.has(field)) return null;
    taken.add(field);
    return field;
  });
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** Day first, as everywhere in India; a two-digit year is not guessed. What is no date comes back as it was. */
export function readDay(text: string): string {
  const numeric = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(text);
  const worded = /^(\d{1,2})[\s/.-]*([a-z]{3})[a-z]*[\s/.,-]*(\d{4})$/i.exec(text);
  const [, day, month, year] = numeric ?? worded ?? [];
  if (!day || !month || !year) return text;
  const number = worded ? MONTHS.indexOf(month.toLowerCase()) + 1 : Number(month);
  return `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
}

const PERSON = /^(?:individual|ind|person|proprietor(?:ship)?|prop|huf|hindu undivided family|p|h)$/i;
const BODY =
  /^(?:company|co|pvt\.? ?ltd\.?|private limited(?: company)?|public limited(?: company)?|limited|ltd|llp|firm|partnership(?: firm)?|trust|society|aop|boi|c|f|t)$/i;

/** The words of a cell as the field wants them; what is not understood stays, and is then told as wrong. */
export function readCell(field: ClientField, text: string): string {
  // Put there by spreadsheets, and by our own export, so that the rest is not taken for a formula.
  const plain = text.replace(/^'(?=[=+\-@\t\r])/, '').trim();
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
