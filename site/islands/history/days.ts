import * as t from '#messages/history.ts';
import { isoDateInIndia, formatDay } from '../../lib/format.ts';

interface Day<Entry> {
  /** `YYYY-MM-DD`. */
  day: string;
  label: string;
  entries: Entry[];
}

const DAY_MS = 86_400_000;

/** Groups sorted entries by their day in India. `now` is in milliseconds. */
export function groupByDay<Entry extends { at: string }>(
  entries: readonly Entry[],
  now: number,
): Day<Entry>[] {
  const [today, yesterday] = [isoDateInIndia(now), isoDateInIndia(now - DAY_MS)];
  const named = (day: string, date: string) =>
    day === today ? t.today : day === yesterday ? t.yesterday : formatDay(date);
  const days: Day<Entry>[] = [];
  for (const entry of entries) {
    const day = isoDateInIndia(Date.parse(entry.at));
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else days.push({ day, label: named(day, entry.at), entries: [entry] });
  }
  return days;
}
