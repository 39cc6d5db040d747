import * as t from '#messages/uploads.ts';
/** The speed of an upload, smoothed so that it is readable. */
export interface Pace {
  readonly at: number;
  readonly loaded: number;
  /** Bytes per second; null until it is known. */
  readonly speed: number | null;
}

/** The minimum milliseconds of a sample, so that bursts do not make the speed jump. */
const SAMPLE_MS = 500;

export const start = (now: number): Pace => ({ at: now, loaded: 0, speed: null });

export function advance(pace: Pace, loaded: number, now: number): Pace {
  const passed = now - pace.at;
  if (passed < SAMPLE_MS) return pace;
  const current = Math.max(0, ((loaded - pace.loaded) * 1000) / passed);
  const speed = pace.speed === null ? current : pace.speed * 0.6 + current * 0.4;
  return { at: now, loaded, speed };
}

/** Whole seconds left; null if unknown, also when all is sent and the server has not answered yet. */
export function timeLeft(remaining: number, speed: number | null): number | null {
  if (speed === null || speed < 1 || remaining <= 0) return null;
  return Math.ceil(remaining / speed);
}

const KB = 1024;

/** `340 KB/s`, `2.1 MB/s`: fewer digits than a size, since it changes constantly. */
export const rate = (speed: number): string =>
  speed < KB * KB
    ? t.kbPerSecond(String(Math.ceil(speed / KB)))
    : t.mbPerSecond((speed / KB / KB).toFixed(1));

/** `8 s`, `3 min`, `2 h 5 min`. */
export function duration(seconds: number): string {
  if (seconds < 60) return t.seconds(Math.max(1, Math.ceil(seconds)));
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return t.minutes(minutes);
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? t.hours(hours) : t.hoursMinutes(hours, minutes % 60);
}
