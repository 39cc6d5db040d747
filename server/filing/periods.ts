const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** `Apr 2025` of `2025-04`; null for a period that is no month. */
export function monthOf(period: string): string | null {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(period) ?? [];
  return month === undefined ? null : `${MONTHS[Number(month) - 1]} ${year}`;
}
