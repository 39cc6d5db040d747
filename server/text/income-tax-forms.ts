/**
 * Income tax forms by their numbers in the Rules of 1962 and of 2026, which renumbered them. A search for one number also
 * matches the other.
 */
const RENUMBERED: readonly [before: string, now: string][] = [
  ['16', '130'],
  ['16a', '131'],
  ['16b 16c 16d 16e', '132'],
  ['27d', '133'],
  ['24q', '138'],
  ['26q', '140'],
  ['27q', '144'],
  ['26as ais', '168'],
  ['12bb', '124'],
  ['12ba', '123'],
  ['27eq', '143'],
  ['26qb 26qc 26qd 26qe', '141'],
  ['15g 15h', '121'],
  ['15ca', '145'],
  ['15cb', '146'],
  ['13', '128'],
  ['3ca 3cb 3cd', '26'],
  ['3ceb', '48'],
  ['10e', '39'],
  ['67', '44'],
  ['10f', '41'],
  ['10b 10bb', '112'],
  ['10bd', '113'],
  ['10be', '114'],
];

const others = new Map<string, readonly string[]>();
for (const [before, now] of RENUMBERED) {
  const numbers = before.split(' ');
  for (const number of numbers) others.set(number, [now]);
  others.set(now, [...(others.get(now) ?? []), ...numbers]);
}

/** The numbers of a form in the other Rules, in lower case; empty if it was not renumbered. */
export const otherNumbersOf = (number: string): readonly string[] => others.get(number) ?? [];

/** Whether a number denotes a form even without the word `form`: `26as` does, `16` does not. */
export const saysForm = (number: string): boolean => /\p{L}/u.test(number);

/** A form named in a query, with its position. */
interface NamedForm {
  start: number;
  end: number;
  /** In lower case without blanks: `16a`. */
  number: string;
}

const AFTER_FORM =
  /(?<![\p{L}\p{N}])forms?[\s._-]*(?:no\.?|number)?[\s.:_-]*(\d{1,3}(?:[\s-]?[a-z]{1,3})?)(?![\p{L}\p{N}])/giu;
const ALONE = /(?<![\p{L}\p{N}/-])(\d{1,2}[a-z]{1,3}|ais)(?![\p{L}\p{N}/-])/giu;

/** The renumbered forms named in a query, with the word `form` or by a number that implies it. */
export function formsIn(query: string): NamedForm[] {
  const found: NamedForm[] = [];
  for (const pattern of [AFTER_FORM, ALONE])
    for (const match of query.matchAll(pattern)) {
      const number = match[1]!.replace(/[\s-]/g, '').toLowerCase();
      const [start, end] = [match.index, match.index + match[0].length];
      if (!others.has(number) || found.some((form) => start < form.end && end > form.start)) continue;
      found.push({ start, end, number });
    }
  return found.toSorted((a, b) => a.start - b.start);
}
