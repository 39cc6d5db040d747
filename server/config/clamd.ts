import type { ClamdAddress } from '../scanning/clamd.ts';
import { clamdAddress } from '../scanning/clamd.ts';

export type { ClamdAddress };

type ReadSetting = <T>(
  name: string,
  fallback: T,
  wanted: string,
  parse: (text: string) => T | undefined,
) => T;

const WHAT = ['outside', 'all'] as const;

/** Address of the virus scanner, and whether it scans every upload; null without one. */
export function readClamd(
  env: Record<string, string | undefined>,
  read: ReadSetting,
): { address: ClamdAddress; all: boolean } | null {
  const wanted = 'an address such as tcp://127.0.0.1:3310 or unix:/run/clamav/clamd.ctl';
  const address = read<ClamdAddress | null>('CLAMD_URL', null, wanted, clamdAddress);
  const what = read<(typeof WHAT)[number]>('CLAMD_SCANS', 'outside', 'one of outside, all', (text) =>
    WHAT.find((choice) => choice === text),
  );
  return address && { address, all: what === 'all' };
}
