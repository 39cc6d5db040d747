import { dayInWords } from './day-in-india.ts';

const MINUTE = 60_000;

/** A relative time in words: `a moment ago`, `12 minutes ago`, `on Nov 22, 2026`. */
export function ago(time: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - Date.parse(time)) / MINUTE);
  if (minutes < 2) return 'a moment ago';
  if (minutes < 60) return `${minutes} minutes ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return hours === 1 ? 'an hour ago' : `${hours} hours ago`;
  return `on ${dayInWords(time)}`;
}
