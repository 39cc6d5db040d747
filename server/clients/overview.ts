import type { MonthLinked } from '#server/records/service.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import type { ClientFigures } from './contract.ts';

/** `2026-27` of a month `2026-04`: India's financial year begins in April. */
export function financialYear(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const start = number >= 4 ? year : year - 1;
  return `${start}-${String((start + 1) % 100).padStart(2, '0')}`;
}

/** What a client has, by financial years of its files' dates, the latest first. */
export function figuresOf(months: readonly MonthLinked[]): ClientFigures {
  const years = new Map<string, { files: number; bytes: number }>();
  const total = { files: 0, folders: 0, bytes: 0 };
  for (const { month, files, items, bytes } of months) {
    total.files += files;
    total.folders += items - files;
    total.bytes += bytes;
    if (files === 0) continue;
    const year = financialYear(month);
    const sum = years.get(year) ?? { files: 0, bytes: 0 };
    years.set(year, { files: sum.files + files, bytes: sum.bytes + bytes });
  }
  return {
    ...total,
    formatted_bytes: formatBytes(total.bytes),
    years: Array.from(years, ([year, { files, bytes }]) => ({
      year,
      files,
      bytes,
      formatted_bytes: formatBytes(bytes),
    })).toSorted((a, b) => b.year.localeCompare(a.year)),
  };
}
