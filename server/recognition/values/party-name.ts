/** Whether a key is that of the name of a person, a firm or a company. */
export const isNameKey = (key: string): boolean => /(?:^|_)name$/.test(key);

const LABEL = String.raw`(?:GSTIN(?: ?\/ ?UIN)?|UIN|GST|PAN|TAN|CIN|LLPIN)(?: ?(?:no|number)\b\.?)?`;
/** A GSTIN, PAN, TAN or CIN, also a misread one. */
const NUMBER = String.raw`(?=[A-Z0-9|]{0,16}\d{3})[A-Z0-9|]{10,21}\b`;
/** Between a name and what follows it. */
const SEPARATOR = String.raw`[\s,;|(\[–-]`;
const IDENTIFIER = new RegExp(
  // From the first separator on, since a search that began at each of many would take quadratic time. A label at the end is of a number
  // on the next line.
  String.raw`(?<!${SEPARATOR})(?:${SEPARATOR}+(?:GSTIN\b|${LABEL}\s*[:–-]|${LABEL}\s+${NUMBER}|${NUMBER})|(?!\s+[^\s,;|(\[–-])${SEPARATOR}+${LABEL}\s*$)`,
  'iu',
);
const ADDRESS = /,\s*(?:\d|plot|shop|flat|house|office|unit|h\.?\s?no|[a-z]-?\d)/i;
const AFTER_COMPANY = /(?<=\b(?:limited|ltd\.?|llp))\s*,/i;
/** A comma within a name: `Desai Tools, Pvt. Ltd.`, `Shah, Mehta & Co.` */
const IN_NAME = /^\s*(?:pvt|private|ltd|limited|llp|inc|co\b|company)|&| and /i;

/** Where the identifiers of a party begin behind its name; undefined where none follow. */
export const identifiersAfter = (text: string): number | undefined => IDENTIFIER.exec(text)?.index;

/**
 * The name of a party without the identifiers and the address that follow it on its line.
 * @param withAddress whether it stands under a label for the name and the address, so that a town may follow directly.
 */
export function partyName(text: string, withAddress = false): string {
  const ends = [identifiersAfter(text), ADDRESS.exec(text)?.index, AFTER_COMPANY.exec(text)?.index];
  const comma = text.indexOf(',');
  if (withAddress && comma > 0 && !IN_NAME.test(text.slice(comma + 1))) ends.push(comma);
  const name = text.slice(0, Math.min(...ends.map((end) => end ?? Infinity))).trim();
  return name.length > 2 ? name : text;
}
