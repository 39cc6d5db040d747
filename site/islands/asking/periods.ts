import { financialYears } from '#server/templates/contract.ts';

/** What a template leaves open, and what stands in its place. */
export type Period = 'year' | 'month' | 'quarter';
export type Chosen = Record<Period, string>;

const IN_INDIA = 330 * 60_000;
const MONTHS = 18;
const named = new Intl.DateTimeFormat('en-IN', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const QUARTERS = ['Apr–Jun', 'Jul–Sep', 'Oct–Dec', 'Jan–Mar'];

/** `2025-26`, of the year in which it begins. */
const yearFrom = (start: number): string => `${start}-${String((start + 1) % 100).padStart(2, '0')}`;

/** What can be chosen, what is asked for most first: the last year, month and quarter that are over. */
export function choicesAt(now: Date): Record<Period, string[]> {
  const india = new Date(now.getTime() + IN_INDIA);
  const months = Array.from({ length: MONTHS }, (_, back) =>
    named.format(new Date(Date.UTC(india.getUTCFullYear(), india.getUTCMonth() - 1 - back, 1))),
  );
  const quarters = Array.from({ length: 6 }, (_, back) => {
    const month = Math.floor(india.getUTCMonth() / 3) * 3 - 3 * (back + 1);
    const first = new Date(Date.UTC(india.getUTCFullYear(), month, 1));
    const place = (Math.floor(first.getUTCMonth() / 3) + 3) % 4;
    const start = first.getUTCFullYear() - (place === 3 ? 1 : 0);
    return `Q${place + 1} FY ${yearFrom(start)} (${QUARTERS[place]})`;
  });
  const [next, present, last, ...older] = financialYears(now).map((year) => `FY ${year}`);
  return { year: [last!, present!, ...older, next!], month: months, quarter: quarters };
}

/** Which of them a list leaves open. */
export const openIn = (rows: readonly string[]): Period[] =>
  (['year', 'month', 'quarter'] as const).filter((period) => rows.some((row) => row.includes(`{${period}}`)));

/** The list for these periods. */
export const filled = (rows: readonly string[], chosen: Chosen): string[] =>
  rows.map((row) => row.replace(/\{(year|month|quarter)\}/g, (_, period: Period) => chosen[period]));

/** A list as it is typed: one a line. */
export const rowsIn = (text: string): string[] =>
  text
    .split('\n')
    .map((row) => row.trim())
    .filter(Boolean);

/** The rows as they are to be now, each with the one that it was before: by its name, or else as it stands in order. */
export function matched(
  before: readonly { id: number; name: string }[],
  now: readonly string[],
): { id: number | null; name: string }[] {
  const left = [...before];
  const take = (at: number) => (at === -1 ? undefined : left.splice(at, 1)[0]);
  const same = now.map((name) => take(left.findIndex((row) => row.name === name)));
  return now.map((name, at) => ({ id: (same[at] ?? left.shift())?.id ?? null, name }));
}
