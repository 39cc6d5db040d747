/** The time now. Passed to whatever depends on it, so that a test can set it. */
export type Clock = () => Date;

/** The time by which what is old may be deleted, which a clock that jumps ahead does not carry along. */
export type SettledClock = () => Promise<Date>;
