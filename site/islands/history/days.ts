import * as t from '#messages/history.ts';
import { isoDateInIndia, formatDay } from '../../lib/format.ts';

interface Day<Entry> {
  /** `YYYY-MM-DD`. */
  day: string;
  /** The day, with a number where it comes again: entries are in order of their recording, and a clock may be set back. */
  id: string;
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
    else {
      const before = days.filter((other) => other.day === day).length;
      const id = before === 0 ? day : `${day}-${before + 1}`;
      days.push({ day, id, label: named(day, entry.at), entries: [entry] });
    }
  }
  return days;
}
