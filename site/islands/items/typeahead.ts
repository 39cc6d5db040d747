/** A pause of this many milliseconds starts a new word. */
export const TYPEAHEAD_PAUSE_MS = 700;

/** The letters typed so far to jump to a name, and the time of the last one. */
interface Typed {
  text: string;
  at: number;
}

/** The state before the first letter. Times count from page load, so `at: 0` would be recent. */
export const NO_WORD: Typed = { text: '', at: -Infinity };

export function type(before: Typed, key: string, now: number): Typed {
  return { text: now - before.at > TYPEAHEAD_PAUSE_MS ? key : before.text + key, at: now };
}

const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();

/**
 * The index of the name that the typed letters lead to, or -1. One letter, also repeated, leads to the next such name after
 * the focused row; a longer word stays on the focused row while it matches.
 */
export function jump(names: readonly string[], typed: string, focused: number): number {
  const word = fold(typed);
  if (word === '' || names.length === 0) return -1;
  const repeated = [...word].every((letter) => letter === word[0]);
  const wanted = repeated ? (word[0] ?? '') : word;
  const first = repeated ? focused + 1 : Math.max(focused, 0);
  for (let step = 0; step < names.length; step += 1) {
    const index = (first + step) % names.length;
    if (fold(names[index] ?? '').startsWith(wanted)) return index;
  }
  return -1;
}
