import * as t from '#messages/uploads.ts';
/** How fast an upload goes, smoothed so that the figure can be read. */
export interface Pace {
  readonly at: number;
  readonly loaded: number;
  /** Bytes a second; null until there is something to judge by. */
  readonly speed: number | null;
}

/** A sample counts for this many milliseconds or more, so that bursts do not make the figure jump. */
const SAMPLE = 500;

export const start = (now: number): Pace => ({ at: now, loaded: 0, speed: null });

export function advance(pace: Pace, loaded: number, now: number): Pace {
  const passed = now - pace.at;
  if (passed < SAMPLE) return pace;
  const current = Math.max(0, ((loaded - pace.loaded) * 1000) / passed);
  const speed = pace.speed === null ? current : pace.speed * 0.6 + current * 0.4;
  return { at: now, loaded, speed };
}

/** Whole seconds left, or null when nobody can say: what is sent to the end waits for the server. */
export function timeLeft(remaining: number, speed: number | null): number | null {
  if (speed === null || speed < 1 || remaining <= 0) return null;
  return Math.ceil(remaining / speed);
}

const KB = 1024;

/** `340 KB/s`, `2.1 MB/s`: coarser than a size, since it changes all the time. */
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
