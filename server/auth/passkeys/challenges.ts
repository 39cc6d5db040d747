import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { Sealer } from '#server/db/column-encryption.ts';
import { fingerprint } from '#server/http/secrets.ts';
import type { Clock } from '../../clock.ts';
import { deleteExpired } from '#server/db/delete-expired.ts';

/** The time that a user has to respond. */
export const ANSWER_TIMEOUT_MS = 5 * 60_000;

/** The purpose of a challenge: a response to one challenge serves no other purpose. */
export interface Purpose {
  what: 'add' | 'sign-in' | 'prove';
  /** The user whose passkeys may sign; null for any user. */
  userId: number | null;
  /** The session that requested the challenge; null before a sign-in. */
  sessionId: number | null;
  /** The WebAuthn user handle of a new passkey. */
  handle?: string;
}

/**
 * Challenges carry their sealed purpose, so that a request for one writes nothing: a stranger cannot fill the
 * database. A used challenge is stored until it would have expired.
 */
export function createChallenges({ clock, seal, db }: { clock: Clock; seal: Sealer; db: Knex }) {
  return {
    /** A challenge as base64url, with 16 random bytes. */
    issue(purpose: Purpose): string {
      const until = clock().getTime() + ANSWER_TIMEOUT_MS;
      const plain = JSON.stringify({ ...purpose, until, salt: randomBytes(16).toString('base64url') });
      return seal.seal(plain).toString('base64url');
    },

    /** The purpose of a challenge; null for a foreign or expired one. */
    read(challenge: string): Purpose | null {
      try {
        const {
          until,
          salt: _,
          ...purpose
        } = JSON.parse(seal.open(Buffer.from(challenge, 'base64url')).toString()) as Purpose & {
          until: number;
          salt: string;
        };
        const left = until - clock().getTime();
        // Only a clock that was set back leaves more than the full lifetime.
        return left > 0 && left <= ANSWER_TIMEOUT_MS ? purpose : null;
      } catch {
        return null;
      }
    },

    /** Marks the challenge as used; false when it was used before. */
    async spend(trx: Knex.Transaction, challenge: string): Promise<boolean> {
      const challenge_hash = fingerprint(challenge);
      const expires_at = new Date(clock().getTime() + ANSWER_TIMEOUT_MS).toISOString();
      const inserted = await trx('spent_challenges')
        .insert({ challenge_hash, expires_at })
        .onConflict('challenge_hash')
        .ignore()
        .returning('challenge_hash');
      return inserted.length === 1;
    },

    sweep: (): Promise<number> =>
      db.transaction((trx) => deleteExpired(trx, 'spent_challenges', ANSWER_TIMEOUT_MS, clock())),
  };
}
export type Challenges = ReturnType<typeof createChallenges>;
