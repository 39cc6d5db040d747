import { daysIn } from '#server/reading/words/dates.ts';

const DAY_OF_MONTH = /(\d{1,2})(?:st|nd|rd|th)?\s+day\s+of\s+([a-z]+),?\s+(\d{4})/i;
const DDMMYYYY = /(?<!\d)(\d{2})(\d{2})((?:19|20)\d{2})(?!\d)/;

/** Whether the date exists. */
const exists = (day: string): boolean => {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
};

/** The first date in a text, as `2026-04-07` and as written; day first, as in India. */
export function readDate(text: string): { day: string; raw: string } | null {
  const spelled = DAY_OF_MONTH.exec(text);
  const plain = spelled
    ? text.replace(DAY_OF_MONTH, '$1 $2 $3')
    : text.replace(/(\d)\s*([/.-])\s*(?=\d)/g, '$1$2');
  const found = daysIn(plain)
    .filter(({ term }) => exists(term))
    .toSorted((a, b) => a.start - b.start)[0];
  if (found) return { day: found.term, raw: spelled?.[0] ?? plain.slice(found.start, found.end) };
  const [raw, day, month, year] = DDMMYYYY.exec(text) ?? [];
  const iso = `${year}-${month}-${day}`;
  return raw && exists(iso) ? { day: iso, raw } : null;
}
