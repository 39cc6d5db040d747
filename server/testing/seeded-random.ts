/** A reproducible pseudo-random generator. */
export function seededRandom(seed: number) {
  let state = seed >>> 0;
  /** At least 0, less than 1. */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  return {
    next,
    below: (most: number): number => Math.floor(next() * most),
    chance: (share: number): boolean => next() < share,
    pick: <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)]!,
  };
}
export type Random = ReturnType<typeof seededRandom>;
