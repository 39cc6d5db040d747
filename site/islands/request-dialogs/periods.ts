import type { RequestRow } from '#server/requests/contract.ts';
import { IST_OFFSET_MS } from '#server/text/day-in-india.ts';
import { selectableYears } from '#server/text/years.ts';

/** The placeholders of a request template: `{year}`, `{month}` and `{quarter}`. */
export type Period = 'year' | 'month' | 'quarter';
export type ChosenPeriods = Record<Period, string>;

const MONTHS = 18;
const monthFormat = new Intl.DateTimeFormat('en-IN', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const QUARTERS = ['Apr–Jun', 'Jul–Sep', 'Oct–Dec', 'Jan–Mar'];

/** The financial year that begins in a year, as `2025-26`. */
const yearFrom = (start: number): string => `${start}-${String((start + 1) % 100).padStart(2, '0')}`;

/** The choices for each placeholder. The first is the last year, month or quarter that has ended, which is the usual choice. */
export function periodChoices(now: Date): Record<Period, string[]> {
  const india = new Date(now.getTime() + IST_OFFSET_MS);
  const months = Array.from({ length: MONTHS }, (_, back) =>
    monthFormat.format(new Date(Date.UTC(india.getUTCFullYear(), india.getUTCMonth() - 1 - back, 1))),
  );
  const quarters = Array.from({ length: 6 }, (_, back) => {
    const month = Math.floor(india.getUTCMonth() / 3) * 3 - 3 * (back + 1);
    const first = new Date(Date.UTC(india.getUTCFullYear(), month, 1));
    const quarter = (Math.floor(first.getUTCMonth() / 3) + 3) % 4;
    const start = first.getUTCFullYear() - (quarter === 3 ? 1 : 0);
    return `Q${quarter + 1} FY ${yearFrom(start)} (${QUARTERS[quarter]})`;
  });
  const [next, present, last, ...older] = selectableYears(now).map((year) => `FY ${year}`);
  return { year: [last!, present!, ...older, next!], month: months, quarter: quarters };
}

/** The placeholders that occur in a list of documents. */
export const periodsIn = (rows: readonly string[]): Period[] =>
  (['year', 'month', 'quarter'] as const).filter((period) => rows.some((row) => row.includes(`{${period}}`)));

/** Replaces the placeholders in a list of documents. */
export const fillPeriods = (rows: readonly string[], chosen: ChosenPeriods): string[] =>
  rows.map((row) => row.replace(/\{(year|month|quarter)\}/g, (_, period: Period) => chosen[period]));

/** Splits the typed list: one document per line. */
export const parseRows = (text: string): string[] =>
  text
    .split('\n')
    .map((row) => row.trim())
    .filter(Boolean);

/** An existing row, with what has come for it. */
export type MatchedRow = Pick<RequestRow, 'id' | 'name' | 'state' | 'files'>;

/** Whether the client has answered the row: a new name would then give the answer and its files to another document. */
const isAnswered = ({ state, files }: MatchedRow): boolean => state !== 'wanted' || files.length > 0;

/** The letters and digits of a name: `Form-16 ` and `form 16` are the same document, `Form 16A` is another one. */
const lettersOf = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '');

/**
 * Assigns the edited rows to the existing ones: by the same name, otherwise to one that is not answered and differs only in case, spaces or
 * punctuation. Any other row gets a null id and is a new one: a client whose page shows the old list would otherwise send a document
 * under the name of another.
 */
export function matchRows(
  existing: readonly MatchedRow[],
  names: readonly string[],
): { id: number | null; name: string }[] {
  const remaining = [...existing];
  const take = (fits: (row: MatchedRow) => boolean) => {
    const at = remaining.findIndex(fits);
    return at === -1 ? undefined : remaining.splice(at, 1)[0];
  };
  const sameName = names.map((name) => take((row) => row.name === name));
  return names.map((name, at) => {
    const row = sameName[at] ?? take((row) => !isAnswered(row) && lettersOf(row.name) === lettersOf(name));
    return { id: row?.id ?? null, name };
  });
}
