import type { CentralRecord } from './records.ts';

const TIMES = 0x5455;

/**
 * When an entry's content last changed, in ISO 8601: in UTC where its writer noted that, otherwise as its writer's
 * clock showed it, without a zone. Null for what is no time.
 */
export function modifiedAt({
  date,
  time,
  extra,
}: Pick<CentralRecord, 'date' | 'time' | 'extra'>): string | null {
  const field = extra.get(TIMES);
  if (field && field.length >= 5 && field[0]! & 1) {
    return new Date(field.readInt32LE(1) * 1000).toISOString();
  }
  const [month, day] = [(date >>> 5) & 15, date & 31];
  const [hour, minute, second] = [time >>> 11, (time >>> 5) & 63, (time & 31) * 2];
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return null;
  const two = (value: number) => String(value).padStart(2, '0');
  const clock = `${two(hour)}:${two(minute)}:${two(second)}`;
  return `${1980 + (date >>> 9)}-${two(month)}-${two(day)}T${clock}`;
}
