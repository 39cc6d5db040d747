/** Lets so many at a time go on; the others wait in the order in which they came. */
export function createTurns(atOnce: number) {
  const waiting: (() => void)[] = [];
  let going = 0;
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else going -= 1;
  };
  return {
    /** How many wait. */
    waiting: () => waiting.length,
    /** @returns what to call when one is through. */
    async take(): Promise<() => void> {
      if (going < atOnce) going += 1;
      else await new Promise<void>((go) => waiting.push(go));
      return leave;
    },
  };
}
export type Turns = ReturnType<typeof createTurns>;
