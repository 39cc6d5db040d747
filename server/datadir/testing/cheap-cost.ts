import type { Cost } from '../keys/sealed-file.ts';

/** Argon2id costs for tests. */
export const CHEAP: Cost = { memory: 64, passes: 1, lanes: 1 };
