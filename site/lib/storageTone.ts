import type { Stats } from '#server/dashboard/contract.ts';
import { fullnessOf } from '#server/subscription/contract.ts';

const TONES = { full: 'danger', filling: 'warning' } as const;

/** The colour of the bar of the used storage. */
export function storageTone({ used_bytes, limit_bytes }: Pick<Stats, 'used_bytes' | 'limit_bytes'>) {
  const fullness = fullnessOf(used_bytes, limit_bytes);
  return fullness === null ? 'accent' : TONES[fullness];
}
