import { yearOf } from './years.ts';

/** The filters of a search, typed as `client:"Sharma Traders" type:form_16 fy:2025-26`. */
export const FILTER_KEYS = ['client', 'type', 'fy', 'before', 'after', 'from'] as const;
export type FilterKey = (typeof FILTER_KEYS)[number];

/** A filter with its position in the text. */
export interface TypedFilter {
  key: FilterKey;
  /** Without quotation marks; '' while it is being typed. */
  value: string;
  start: number;
  end: number;
}

interface TypedSearch {
  /** The search without the filters. */
  text: string;
  filters: TypedFilter[];
}

const FILTER = /(?<![^\s])(client|type|fy|ay|before|after|from):\s?(?:["“”]([^"“”]*)["“”]?|(\S*))/giu;

/** Parses a search into filters and the text without them. `ay:2026-27` becomes an `fy` filter with `AY 2026-27`. */
export function readSearch(query: string): TypedSearch {
  const filters: TypedFilter[] = [];
  let [text, position] = ['', 0];
  for (const match of query.matchAll(FILTER)) {
    const [whole, name = '', quoted, bare = ''] = match;
    const typed = (quoted ?? bare).trim();
    const assessment = name.toLowerCase() === 'ay';
    const key = assessment ? 'fy' : (name.toLowerCase() as FilterKey);
    const value = assessment && typed !== '' && !/^a/i.test(typed) ? `AY ${typed}` : typed;
    filters.push({ key, value, start: match.index, end: match.index + whole.length });
    text += query.slice(position, match.index);
    position = match.index + whole.length;
  }
  text += query.slice(position);
  return { text: filters.length === 0 ? query : text.replace(/\s+/g, ' ').trim(), filters };
}

/** Writes a filter as it is typed, with quotation marks if needed. */
export const typedFilter = (key: FilterKey, value: string): string =>
  `${key}:${/[\s"“”]/.test(value) ? `"${value.replace(/["“”]/g, '')}"` : value}`;

/** Writes a search with these filters. */
export const writeSearch = (text: string, filters: readonly Pick<TypedFilter, 'key' | 'value'>[]): string =>
  [...filters.map(({ key, value }) => typedFilter(key, value)), text.trim()].filter(Boolean).join(' ');

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const pad = (n: number): string => String(n).padStart(2, '0');

function day(year: number, month: number, date: number): string | null {
  const made = `${year}-${pad(month)}-${pad(date)}`;
  const real = new Date(`${made}T00:00:00Z`);
  return year >= 1900 && year < 2200 && real.toJSON()?.slice(0, 10) === made ? made : null;
}

/**
 * Parses the day of a filter to `2026-04-07`: `2026-04-07`, `07-04-2026`, `7 Apr 2026`; for a month or a year (`Apr 2026`,
 * `2026-04`, `2026`) its first day. Null if the text is not a day.
 */
export function dayOf(text: string): string | null {
  const lower = text.trim().toLowerCase();
  const iso = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/.exec(lower);
  if (iso) return day(Number(iso[1]), Number(iso[2] ?? 1), Number(iso[3] ?? 1));
  const figures = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})$/.exec(lower);
  const yearIn = (year: string) => Number(year.length === 2 ? `20${year}` : year);
  if (figures) return day(yearIn(figures[3]!), Number(figures[2]), Number(figures[1]));
  const parts = /^(?:(\d{1,2})(?:st|nd|rd|th)?[\s.-]*)?([a-z]{3,9})[\s.,-]*(\d{4})$/.exec(lower);
  const month = parts ? MONTHS.findIndex((name) => parts[2]!.startsWith(name)) + 1 : 0;
  return parts && month > 0 ? day(Number(parts[3]), month, Number(parts[1] ?? 1)) : null;
}

/** Why a filter is invalid by its form alone; null if it is, or may be, valid. */
export function unclear({ key, value }: Pick<TypedFilter, 'key' | 'value'>): 'year' | 'day' | null {
  if (value === '') return null;
  if (key === 'fy') return yearOf(value) === null ? 'year' : null;
  return (key === 'before' || key === 'after') && dayOf(value) === null ? 'day' : null;
}
