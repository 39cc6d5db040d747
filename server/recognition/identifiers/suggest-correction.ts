import { TO_DIGIT, TO_LETTERS } from './look-alikes.ts';
import { SHAPES, shapeOf } from './shapes.ts';

/** More misread characters in one identifier are not plausible. */
const MISTAKEN_MAX = 4;

const FITS: Record<string, RegExp> = { A: /[A-Z]/, 9: /\d/, '*': /[A-Z0-9]/ };

/** The characters that a misread character may be, at a position for a letter, a digit or either. */
function alternatives(sign: string, wants: string): string[] {
  const lookAlikes = [...(TO_DIGIT[sign] ?? TO_LETTERS[sign] ?? '')].filter((other) =>
    FITS[wants]!.test(other),
  );
  if (!FITS[wants]!.test(sign)) return lookAlikes;
  return wants === '*' ? [sign, ...lookAlikes] : [sign];
}

/**
 * The correction of an identifier that fails its check, if its positions and check digit leave exactly one; else
 * null. It is only a suggestion for a user, never a value.
 * @param key the field key: `employee_pan` has the shape of `pan`.
 */
export function suggestCorrection(key: string, value: string): string | null {
  const shape = SHAPES[shapeOf(key) ?? ''];
  const places = shape?.places;
  if (!shape || !places || value.length !== places.length) return null;
  let candidates = [{ text: '', mistaken: 0 }];
  for (const [index, sign] of [...value.toUpperCase()].entries())
    candidates = candidates.flatMap(({ text, mistaken }) =>
      alternatives(sign, places[index]!)
        .map((letter) => ({ text: text + letter, mistaken: mistaken + Number(letter !== sign) }))
        .filter((candidate) => candidate.mistaken <= MISTAKEN_MAX),
    );
  const valid = candidates.filter(
    ({ text, mistaken }) =>
      mistaken > 0 && shape.pattern.exec(text)?.[0] === text && shape.check(text) !== 'failed',
  );
  // Where both are allowed, prefer the fewest changes.
  const fewestChanges = Math.min(...valid.map(({ mistaken }) => mistaken));
  const nearest = valid.filter(({ mistaken }) => mistaken === fewestChanges);
  return nearest.length === 1 ? nearest[0]!.text : null;
}

/**
 * Identifiers without a public check digit that are shown although a character was misread, for a user to correct.
 */
const SHOWN_MISREAD = ['pan', 'tan'];
const DIGITS_MIN = 2;

/** Finds an identifier after its label with a character that is impossible at its position; null for none. */
export function findMisreadIdentifier(
  text: string,
  name: string,
): { value: string; start: number; end: number } | null {
  const length = SHOWN_MISREAD.includes(name) ? SHAPES[name]?.places?.length : undefined;
  if (length === undefined) return null;
  const words = text.toUpperCase().matchAll(/(?<![A-Z0-9])[A-Z0-9|]+(?![A-Z0-9])/g);
  for (const { 0: value, index } of words) {
    const digits = value.match(/\d/g)?.length ?? 0;
    if (value.length === length && digits >= DIGITS_MIN && suggestCorrection(name, value) !== null)
      return { value, start: index, end: index + length };
  }
  return null;
}
