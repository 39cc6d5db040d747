import type { Argon2Parameters } from 'node:crypto';
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { createSemaphore } from './semaphore.ts';

/** What one hash takes; `memory` is in KiB. */
export interface Cost {
  memory: number;
  passes: number;
  parallelism: number;
}

/** OWASP's first choice for argon2id. */
const COST: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

// Hashing runs in the thread pool that the database and the disk share: it may not take all of it, nor every core.
const inTurn = createSemaphore({
  atOnce: Math.max(1, Math.min(availableParallelism() - 1, 2)),
  waiting: 500,
});
const derive = promisify<'argon2id', Argon2Parameters, Buffer>(argon2);

// The same password comes in different code points from different keyboards, most of all in Indian scripts.
const hash = (password: string, salt: Buffer, cost: Cost): Promise<Buffer> =>
  inTurn(() =>
    derive('argon2id', { message: password.normalize('NFKC'), nonce: salt, tagLength: HASH_BYTES, ...cost }),
  );

const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/** @param cost of the hashes that are made; what is stored is checked at the cost that it names. */
export function createPasswords(cost: Cost = COST) {
  return {
    /** A PHC string: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. */
    async hash(password: string): Promise<string> {
      const salt = randomBytes(SALT_BYTES);
      const { memory, passes, parallelism } = cost;
      const made = await hash(password, salt, cost);
      return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${text(salt)}$${text(made)}`;
    },

    /** Takes as long without a stored hash as with one, so that time does not tell who has an account. */
    async verify(password: string, stored: string | undefined): Promise<boolean> {
      const [, memory, passes, parallelism, salt, wanted] = PHC.exec(stored ?? '') ?? [];
      if (!salt || !wanted) {
        await hash(password, randomBytes(SALT_BYTES), cost);
        return false;
      }
      const its = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
      const made = await hash(password, Buffer.from(salt, 'base64'), its);
      const kept = Buffer.from(wanted, 'base64');
      return kept.length === made.length && timingSafeEqual(kept, made);
    },
  };
}
export type Passwords = ReturnType<typeof createPasswords>;
