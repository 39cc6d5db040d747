import { lazily } from '#server/text/lazily.ts';
import type { WorkHours } from './contract.ts';
import { DAYS } from './contract.ts';

const formatInIndia = lazily(
  () =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Asia/Kolkata',
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
);

/** The day of the week (Monday = 1) and the time as `HH:MM` in India, whatever the time zone of the server. */
function inIndia(now: Date): { day: number; time: string } {
  const parts = Object.fromEntries(
    formatInIndia()
      .formatToParts(now)
      .map(({ type, value }) => [type, value]),
  );
  const day = DAYS.findIndex((name) => name.startsWith(parts['weekday'] ?? '-')) + 1;
  return { day, time: `${parts['hour']}:${parts['minute']}` };
}

/** Whether `now` is within the hours. Hours whose `to` is not after `from` end on the next day. */
export function isWithin({ days, from, to }: WorkHours, now: Date): boolean {
  const { day, time } = inIndia(now);
  const yesterday = day === 1 ? 7 : day - 1;
  if (from < to) return days.includes(day) && from <= time && time < to;
  return (days.includes(day) && from <= time) || (days.includes(yesterday) && time < to);
}
