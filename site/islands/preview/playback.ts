/** Formats seconds: `0:07`, `12:30`, `1:02:03`; `–:––` while unknown. */
export function clockText(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds < 0) return '–:––';
  const wholeSeconds = Math.floor(seconds);
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(wholeSeconds / 3600);
  const minutes = Math.floor(wholeSeconds / 60) % 60;
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(wholeSeconds % 60)}`
    : `${minutes}:${two(wholeSeconds % 60)}`;
}

/** The playback speeds of the button, in order. */
const SPEEDS = [1, 1.25, 1.5, 2, 0.5] as const;

export const nextSpeed = (speed: number): number =>
  SPEEDS[(SPEEDS.findIndex((choice) => choice === speed) + 1) % SPEEDS.length] ?? 1;
