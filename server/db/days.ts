import { words } from './sql.ts';

// Days as text, such as 2026-03-31, which sorts as it counts.

/** The day in India of a time kept as ISO 8601 in UTC. */
export const dayInIndia = words.dayInIndia;

/** So many months after a day; a day that its month does not have is counted on into the next. */
export const monthsAfter = words.monthsAfter;

/** The last day of the financial year of a day. */
export const yearEnd = words.yearEnd;

/** The greatest of several texts. */
export const theLater = words.greatest;
