import type { MonthLinked } from '#server/records/service.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import { spanOfYear, startOfFinancialYear } from '#server/text/years.ts';
import type { ClientFigures, FilesOfYear } from './contract.ts';

/** `2026-27` for the month `2026-04`. */
const yearOfMonth = (month: string): string => spanOfYear(startOfFinancialYear(month));

/** The totals of a client by financial year: the year of the document or its folder if known, otherwise of the file date. */
export function figuresOf(months: readonly MonthLinked[], ofYears: readonly FilesOfYear[]): ClientFigures {
  const years = new Map<string, { files: number; bytes: number }>();
  const total = { files: 0, folders: 0, bytes: 0 };
  const add = (year: string, files: number, bytes: number) => {
    const sum = years.get(year) ?? { files: 0, bytes: 0 };
    years.set(year, { files: sum.files + files, bytes: sum.bytes + bytes });
  };
  for (const { month, files, items, bytes } of months) {
    total.files += files;
    total.folders += items - files;
    total.bytes += bytes;
    if (files > 0) add(yearOfMonth(month), files, bytes);
  }
  for (const { year, month, files, bytes } of ofYears) {
    add(yearOfMonth(month), -files, -bytes);
    add(spanOfYear(year), files, bytes);
  }
  return {
    ...total,
    formatted_bytes: formatBytes(total.bytes),
    years: [...years]
      .filter(([, { files }]) => files > 0)
      .map(([year, { files, bytes }]) => ({ year, files, bytes, formatted_bytes: formatBytes(bytes) }))
      .toSorted((a, b) => b.year.localeCompare(a.year)),
  };
}
