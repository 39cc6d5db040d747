import { TO_DIGIT, TO_LETTERS } from './look-alikes.ts';
import { SHAPES, shapeOf } from './shapes.ts';

/** More signs than these nobody mistakes in one identifier. */
const MISTAKEN_MAX = 4;

const FITS: Record<string, RegExp> = { A: /[A-Z]/, 9: /\d/, '*': /[A-Z0-9]/ };

/** What may be meant by a sign at a place that wants a letter, a digit, or either. */
function meant(sign: string, wants: string): string[] {
  const others = [...(TO_DIGIT[sign] ?? TO_LETTERS[sign] ?? '')].filter((other) => FITS[wants]!.test(other));
  if (!FITS[wants]!.test(sign)) return others;
  return wants === '*' ? [sign, ...others] : [sign];
}

/**
 * What an identifier says that does not pass its check, where its places and its check digit leave one way in which signs were taken
 * for others; null where they leave none, or two. It is a question to a person: nothing else may count it as read.
 * @param key of the field: that of `employee_pan` is that of `pan`.
 */
export function meantBy(key: string, value: string): string | null {
  const shape = SHAPES[shapeOf(key) ?? ''];
  const places = shape?.places;
  if (!shape || !places || value.length !== places.length) return null;
  let ways = [{ text: '', mistaken: 0 }];
  for (const [at, sign] of [...value.toUpperCase()].entries())
    ways = ways.flatMap(({ text, mistaken }) =>
      meant(sign, places[at]!)
        .map((one) => ({ text: text + one, mistaken: mistaken + Number(one !== sign) }))
        .filter((one) => one.mistaken <= MISTAKEN_MAX),
    );
  const right = ways.filter(
    ({ text, mistaken }) =>
      mistaken > 0 && shape.pattern.exec(text)?.[0] === text && shape.check(text) !== 'failed',
  );
  // Where a letter and a digit may both stand, nothing was mistaken that need not have been.
  const least = Math.min(...right.map(({ mistaken }) => mistaken));
  const nearest = right.filter(({ mistaken }) => mistaken === least);
  return nearest.length === 1 ? nearest[0]!.text : null;
}

/** Identifiers without a public check digit that are shown although a sign of them was misread, for a person to put right. */
const SHOWN_MISREAD = ['pan', 'tan'];
const DIGITS_MIN = 2;

/** An identifier behind its label of which some sign stands where it cannot; null when none does. */
export function misread(text: string, name: string): { value: string; start: number; end: number } | null {
  const length = SHOWN_MISREAD.includes(name) ? SHAPES[name]?.places?.length : undefined;
  if (length === undefined) return null;
  const words = text.toUpperCase().matchAll(/(?<![A-Z0-9])[A-Z0-9|]+(?![A-Z0-9])/g);
  for (const { 0: value, index } of words) {
    const digits = value.match(/\d/g)?.length ?? 0;
    if (value.length === length && digits >= DIGITS_MIN && meantBy(name, value) !== null)
      return { value, start: index, end: index + length };
  }
  return null;
}
