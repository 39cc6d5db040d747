// Days as text, such as 2026-03-31, which sorts as it counts.

/** The day in India of a time kept as ISO 8601 in UTC. */
export const dayInIndia = (time: string): string => `date(${time}, '+330 minutes')`;

/** So many months after a day; a day that its month does not have is counted on into the next. */
export const monthsAfter = (day: string, months: number): string => `date(${day}, '+${months} months')`;

/** The last day of the financial year of a day. */
export const yearEnd = (day: string): string =>
  `(strftime('%Y', ${day}, 'start of month', '+9 months') || '-03-31')`;

/** The greatest of several texts. */
export const theLater = (texts: readonly string[]): string => `max(${texts.join(', ')})`;
