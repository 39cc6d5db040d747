import type { Argon2Parameters } from 'node:crypto';
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { AppError } from '#server/http/errors.ts';
import { createSemaphore } from '#server/semaphore.ts';

/** The cost of one hash; `memory` is in KiB. */
export interface Cost {
  memory: number;
  passes: number;
  parallelism: number;
}

/** OWASP's first recommendation for argon2id. */
const COST: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

// Hashing runs in the libuv thread pool, which database and file access share: it may use neither the whole pool nor
// every core.
const { run: withPermit } = createSemaphore(Math.max(1, Math.min(availableParallelism() - 1, 2)), {
  maxWaiting: 500,
  refusal: () =>
    new AppError(503, 'busy', 'Too many people are signing in right now. Try again in a few seconds.', {
      retryAfter: 5,
    }),
});
const derive = promisify<'argon2id', Argon2Parameters, Buffer>(argon2);

// NFKC: keyboards, of Indian scripts above all, produce different code points for the same password.
const hash = (password: string, salt: Buffer, cost: Cost): Promise<Buffer> =>
  withPermit(() =>
    derive('argon2id', { message: password.normalize('NFKC'), nonce: salt, tagLength: HASH_BYTES, ...cost }),
  );

const unpaddedBase64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/** @param cost of new hashes; a stored hash is verified at the cost that it names. */
export function createPasswords(cost: Cost = COST) {
  return {
    /** A PHC string: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. */
    async hash(password: string): Promise<string> {
      const salt = randomBytes(SALT_BYTES);
      const { memory, passes, parallelism } = cost;
      const actual = await hash(password, salt, cost);
      return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpaddedBase64(salt)}$${unpaddedBase64(actual)}`;
    },

    /** Takes the same time without a stored hash, so that timing does not reveal who has an account. */
    async verify(password: string, stored: string | undefined): Promise<boolean> {
      const [, memory, passes, parallelism, salt, wanted] = PHC.exec(stored ?? '') ?? [];
      if (!salt || !wanted) {
        await hash(password, randomBytes(SALT_BYTES), cost);
        return false;
      }
      const storedCost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
      const actual = await hash(password, Buffer.from(salt, 'base64'), storedCost);
      const expected = Buffer.from(wanted, 'base64');
      return expected.length === actual.length && timingSafeEqual(expected, actual);
    },
  };
}
export type Passwords = ReturnType<typeof createPasswords>;
