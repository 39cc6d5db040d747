import type { WorkHours } from './contract.ts';

const IN_INDIA = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Asia/Kolkata',
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
export const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** Day of the week (Monday = 1) and time as `HH:MM`, in India wherever the server stands. */
function inIndia(now: Date): { day: number; time: string } {
  const parts = Object.fromEntries(IN_INDIA.formatToParts(now).map(({ type, value }) => [type, value]));
  const day = DAYS.findIndex((name) => name.startsWith(parts['weekday'] ?? '-')) + 1;
  return { day, time: `${parts['hour']}:${parts['minute']}` };
}

/** Whether `now` lies within the hours; those that end at or before their beginning end on the next day. */
export function isWithin({ days, from, to }: WorkHours, now: Date): boolean {
  const { day, time } = inIndia(now);
  const yesterday = day === 1 ? 7 : day - 1;
  if (from < to) return days.includes(day) && from <= time && time < to;
  return (days.includes(day) && from <= time) || (days.includes(yesterday) && time < to);
}

/** `Monday to Saturday, 09:30 to 19:00 IST`; days that do not follow each other are listed. */
export function inWords({ days, from, to }: WorkHours): string {
  const sorted = days.toSorted((a, b) => a - b);
  const names = sorted.map((day) => DAYS[day - 1]!);
  const follow = sorted.every((day, at) => at === 0 || day === sorted[at - 1]! + 1);
  const listed =
    names.length === 7
      ? 'every day'
      : names.length > 2 && follow
        ? `${names[0]} to ${names.at(-1)}`
        : names.length > 1
          ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
          : names[0];
  return `${listed}, ${from} to ${to} IST`;
}
