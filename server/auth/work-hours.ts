import { lazily } from '#server/text/lazily.ts';
import type { WorkHours } from './contract.ts';
import { DAYS } from './contract.ts';

const IN_INDIA = lazily(
  () =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Asia/Kolkata',
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
);

/** Day of the week (Monday = 1) and time as `HH:MM`, in India wherever the server stands. */
function inIndia(now: Date): { day: number; time: string } {
  const parts = Object.fromEntries(
    IN_INDIA()
      .formatToParts(now)
      .map(({ type, value }) => [type, value]),
  );
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
