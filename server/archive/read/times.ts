import type { CentralRecord } from './records.ts';

/** Info-ZIP's extended timestamp field. */
const TIMESTAMP = 0x5455;

/**
 * The modification time of an entry in ISO 8601: in UTC if the archive contains that, otherwise in its writer's local time, without a
 * time zone. Null if it is not a valid time.
 */
export function modifiedAt({
  date,
  time,
  extra,
}: Pick<CentralRecord, 'date' | 'time' | 'extra'>): string | null {
  const field = extra.get(TIMESTAMP);
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
