import { fragments } from './sql.ts';

// SQL for days as text, such as 2026-03-31, which sort in their order.

/** The day in India of an ISO 8601 time in UTC. */
export const dayInIndia = fragments.dayInIndia;

/** A day some months later. A day that the month does not have overflows: one month after 31 January is 3 March (2 in a leap year). */
export const monthsAfter = fragments.monthsAfter;

/** The last day of the financial year that contains a day. */
export const yearEnd = fragments.yearEnd;

/** The latest of several days. */
export const latestOf = fragments.greatest;
