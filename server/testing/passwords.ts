import { createPasswords } from '../auth/passwords.ts';

/** The least that argon2 takes: tests make thousands of users. */
export const cheapPasswords = createPasswords({ memory: 8, passes: 1, parallelism: 1 });
