import { invalid } from '#server/http/errors.ts';
import type { Person } from './contract.ts';
import { PASSWORD_TOO_COMMON, PASSWORD_TOO_NEAR, isNear, lettersOf, plainOf } from './contract.ts';

/** Letters written as signs that look like them. */
const LOOKALIKES: Record<string, string> = {
  '@': 'a',
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  $: 's',
};
const ROWS = ['01234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const BACK = ROWS.map((row) => [...row].toReversed().join(''));

/** Commonest first: some 50,000 of which 18,000 are long enough to be tried. Read when the first is asked for. */
let list: Promise<Set<string>> | undefined;
const common = (): Promise<Set<string>> =>
  (list ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  ));

/** `00000000`, `abababab`, `87654321`, `qwertyuiop`. */
const isPattern = (text: string): boolean =>
  new Set(text).size <= 2 || [...ROWS, ...BACK].some((row) => `${row}${row}`.includes(text));

/** Whether it is among the first that a guesser tries: a common password as it is, disguised, or with a year behind. */
export async function isCommon(password: string): Promise<boolean> {
  const known = await common();
  const text = plainOf(password);
  const undisguised = text.replace(/[@01345$]/g, (sign) => LOOKALIKES[sign] ?? sign);
  const word = text.replace(/[^\p{L}]{1,5}$/u, '');
  return (
    [text, undisguised].some((one) => known.has(one)) ||
    isPattern(text) ||
    // `password@123`, `krishna2026`; a sentence has spaces or a second word.
    (word === lettersOf(word) && known.has(word)) ||
    known.has(undisguised.replace(/[^\p{L}]{1,5}$/u, ''))
  );
}

/** Holds for new passwords only: who has a weak one goes on signing in. @throws {AppError} 422 on `password`. */
export async function refuseWeak(password: string, person: Person): Promise<void> {
  if (isNear(password, person)) throw invalid({ password: [PASSWORD_TOO_NEAR] });
  if (await isCommon(password)) throw invalid({ password: [PASSWORD_TOO_COMMON] });
}
