import type { Cost } from '../keys/sealed-file.ts';

/** What a test pays for a passphrase. */
export const CHEAP: Cost = { memory: 64, passes: 1, lanes: 1 };
