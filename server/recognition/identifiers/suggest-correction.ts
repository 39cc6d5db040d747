import { TO_DIGIT, TO_LETTERS } from './look-alikes.ts';
import { SHAPES, shapeOf } from './shapes.ts';

/** More misread characters in one identifier are not plausible. */
const MISTAKEN_MAX = 4;

/** What a class of positions allows, and what a misread character there may have been. */
const CLASSES: Record<string, { fits: RegExp; mayBe: RegExp }> = {
  A: { fits: /[A-Z]/, mayBe: /[A-Z]/ },
  9: { fits: /\d/, mayBe: /\d/ },
  '*': { fits: /[A-Z0-9]/, mayBe: /[A-Z0-9]/ },
  N: { fits: /[A-Z0-9]/, mayBe: /\d/ },
  Z: { fits: /[A-Z]/, mayBe: /Z/ },
};

/** The characters that a character may be, at a position of a class. */
function alternatives(sign: string, wants: string): string[] {
  const { fits, mayBe } = CLASSES[wants]!;
  const lookAlikes = [...(TO_DIGIT[sign] ?? TO_LETTERS[sign] ?? '')].filter((other) => mayBe.test(other));
  if (!fits.test(sign)) return lookAlikes;
  return wants === '*' || wants === 'N' ? [sign, ...lookAlikes] : [sign];
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

/** Identifiers that are shown although a character was misread, for a user to correct. */
const SHOWN_MISREAD = ['pan', 'tan', 'gstin', 'arn'];
const DIGITS_MIN = 2;

/** Finds identifiers with a character that is impossible at its position, as they are written. */
export function* misreadIdentifiers(
  text: string,
  name: string,
): Generator<{ value: string; start: number; end: number }> {
  const { places = '', pattern } = SHAPES[name] ?? {};
  if (!SHOWN_MISREAD.includes(name)) return;
  const words = text.toUpperCase().matchAll(/(?<![A-Z0-9])[A-Z0-9|]+(?![A-Z0-9])/g);
  for (const { 0: value, index } of words) {
    const digits = value.match(/\d/g)?.length ?? 0;
    if (
      value.length === places.length &&
      digits >= DIGITS_MIN &&
      !pattern!.test(value) &&
      suggestCorrection(name, value) !== null
    )
      yield { value, start: index, end: index + value.length };
  }
}
