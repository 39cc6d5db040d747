import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { Sealer } from '#server/datadir/sealing.ts';
import { fingerprint } from '#server/http/secrets.ts';
import type { Clock } from '../../clock.ts';
import { deleteExpired } from '../delete-expired.ts';

/** How long a person may take to answer, in ms. */
export const ANSWER_WITHIN = 5 * 60_000;

/** What a challenge was given out for: an answer to one opens nothing else. */
export interface Purpose {
  what: 'add' | 'sign-in' | 'prove';
  /** Whose passkeys may answer; null where anybody's may. */
  userId: number | null;
  /** The session that asked; null where there is none yet. */
  sessionId: number | null;
  /** By which name a new passkey will know its owner. */
  handle?: string;
}

/**
 * Challenges carry their purpose, sealed, so that asking for one writes nothing: a stranger can make us store nothing. One
 * that was answered is kept until it would have run out.
 */
export function createChallenges({ clock, seal, db }: { clock: Clock; seal: Sealer; db: Knex }) {
  return {
    /** 16 random bytes at least, as base64url. */
    give(purpose: Purpose): string {
      const until = clock().getTime() + ANSWER_WITHIN;
      const plain = JSON.stringify({ ...purpose, until, salt: randomBytes(16).toString('base64url') });
      return seal.seal(plain).toString('base64url');
    },

    /** What it was given for; null for one that is not ours, or has run out. */
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
        // More than was given is left only where the clock was set back.
        return left > 0 && left <= ANSWER_WITHIN ? purpose : null;
      } catch {
        return null;
      }
    },

    /** False when it was answered before. */
    async spend(trx: Knex.Transaction, challenge: string): Promise<boolean> {
      const challenge_hash = fingerprint(challenge);
      const expires_at = new Date(clock().getTime() + ANSWER_WITHIN).toISOString();
      const kept = await trx('spent_challenges')
        .insert({ challenge_hash, expires_at })
        .onConflict('challenge_hash')
        .ignore()
        .returning('challenge_hash');
      return kept.length === 1;
    },

    sweep: (): Promise<number> =>
      db.transaction((trx) => deleteExpired(trx, 'spent_challenges', ANSWER_WITHIN, clock())),
  };
}
export type Challenges = ReturnType<typeof createChallenges>;
