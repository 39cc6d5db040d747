/** The current time; passed as a dependency so that tests can set it. */
export type Clock = () => Date;

/** By how much the clocks of the machines of a vault may differ: what is later than now by more is from before the clock was set back. */
export const CLOCKS_DIFFER_MS = 60_000;

/** The time that age-based deletion uses: it counts running time, so a clock that jumps ahead deletes nothing early. */
export type SettledClock = () => Promise<Date>;
