import { invalid } from '#server/http/errors.ts';
import type { Person } from './contract.ts';
import { PASSWORD_TOO_COMMON, PASSWORD_TOO_NEAR, isNear, lettersOf, plainOf } from './contract.ts';

/** Signs and digits that stand for letters. */
const LOOKALIKES: Record<string, string> = {
  '@': 'a',
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  $: 's',
};
const SEQUENCES = ['01234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const REVERSED_SEQUENCES = SEQUENCES.map((row) => [...row].toReversed().join(''));

/** Some 50,000 passwords, of which 18,000 are long enough to matter. Loaded on first use. */
let commonPasswords: Promise<Set<string>> | undefined;
const loadCommonPasswords = (): Promise<Set<string>> =>
  (commonPasswords ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  ));

/** `00000000`, `abababab`, `87654321`, `qwertyuiop`. */
const isPattern = (text: string): boolean =>
  new Set(text).size <= 2 ||
  [...SEQUENCES, ...REVERSED_SEQUENCES].some((row) => `${row}${row}`.includes(text));

/** Whether an attacker tries the password early: a common one as it is, disguised, or with a year appended. */
export async function isCommon(password: string): Promise<boolean> {
  const known = await loadCommonPasswords();
  const text = plainOf(password);
  const undisguised = text.replace(/[@01345$]/g, (sign) => LOOKALIKES[sign] ?? sign);
  const word = text.replace(/[^\p{L}]{1,5}$/u, '');
  return (
    [text, undisguised].some((variant) => known.has(variant)) ||
    isPattern(text) ||
    // `password@123`, `krishna2026`; a passphrase has spaces or a second word.
    (word === lettersOf(word) && known.has(word)) ||
    known.has(undisguised.replace(/[^\p{L}]{1,5}$/u, ''))
  );
}

/** Applies to new passwords only: existing weak ones still sign in. @throws {AppError} 422 on `password`. */
export async function refuseWeak(password: string, person: Person): Promise<void> {
  if (isNear(password, person)) throw invalid({ password: [PASSWORD_TOO_NEAR] });
  if (await isCommon(password)) throw invalid({ password: [PASSWORD_TOO_COMMON] });
}
