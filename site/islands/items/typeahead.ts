/** A pause of this many milliseconds begins a new word. */
export const TYPEAHEAD_PAUSE = 700;

/** What has been typed so far to jump to a name. */
export interface Typed {
  text: string;
  at: number;
}

/** Before the first letter; times are counted from the loading of the page, so 0 would be a moment ago. */
export const NO_WORD: Typed = { text: '', at: -Infinity };

export function type(before: Typed, key: string, now: number): Typed {
  return { text: now - before.at > TYPEAHEAD_PAUSE ? key : before.text + key, at: now };
}

const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();

/**
 * The index of the name the typed letters lead to, or -1. One letter goes on from the focused row, and the same letter
 * again to the next such name; a longer word stays where it still fits.
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
