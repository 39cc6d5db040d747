import { createPasswords } from '../auth/passwords.ts';

/** The lowest cost that argon2 accepts: tests create thousands of users. */
export const cheapPasswords = createPasswords({ memory: 8, passes: 1, parallelism: 1 });
