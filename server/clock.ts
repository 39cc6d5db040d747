/** The current time; passed as a dependency so that tests can set it. */
export type Clock = () => Date;

/** The time that age-based deletion uses: it counts running time, so a clock that jumps ahead deletes nothing early. */
export type SettledClock = () => Promise<Date>;
