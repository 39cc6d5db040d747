const ROUNDINGS = { nearest: Math.round, up: Math.ceil, down: Math.floor };

/**
 * Base 1024, at most two decimals, no trailing zeros: `2.86 MB`, `5 GB`, `0 B`.
 * @param rounding `up` and `down` for two sizes that must not look equal: what is needed, and the smaller rest that is left.
 */
export function formatBytes(bytes: number, rounding: keyof typeof ROUNDINGS = 'nearest'): string {
  const round = ROUNDINGS[rounding];
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  // 1023.995 rounds up to 1024, which is the next unit's 1.
  while (unit < units.length - 1 && round(value * 100) >= 102_400) {
    value /= 1024;
    unit += 1;
  }
  return `${round(value * 100) / 100} ${units[unit]}`;
}
