import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { Clock } from '#server/clock.ts';
import type { Sealer } from '#server/db/column-encryption.ts';
import type { LinkPayloads } from './link-payloads.ts';
import type { Links } from './links.ts';
import { LINK_LIFETIME_MS, badLink } from './links.ts';

/** Payloads per user; the oldest is dropped. The total is bounded by their lifetime. */
const MAX_PER_USER = 50;

/**
 * Payloads of download links in the database, encrypted: with several processes, the one that serves the link need not
 * be the one that created it.
 */
export function createStoredLinkPayloads<Payload>({
  db,
  clock,
  links,
  seal,
}: {
  db: Knex;
  clock: Clock;
  links: Links;
  seal: Sealer;
}): LinkPayloads<Payload> {
  const now = () => clock().toISOString();
  return {
    async store(actor, payload) {
      const about = `kept:${randomBytes(12).toString('base64url')}`;
      const token = links.sign(actor, about);
      const expires_at = new Date(clock().getTime() + LINK_LIFETIME_MS).toISOString();
      const row = { about, user_id: actor.userId, sealed: seal.seal(JSON.stringify(payload)), expires_at };
      await db.transaction(async (trx) => {
        await trx('kept_choices').where('expires_at', '<=', now()).delete();
        const ofUser = trx('kept_choices').where({ user_id: actor.userId });
        const oldest = await ofUser
          .orderBy('expires_at', 'desc')
          .offset(MAX_PER_USER - 1)
          .pluck('about');
        await trx('kept_choices').whereIn('about', oldest).delete();
        await trx('kept_choices').insert(row);
      });
      return token;
    },

    async load(token) {
      const { actor, about } = await links.open(token);
      const row: { sealed: Buffer } | undefined = await db('kept_choices')
        .where({ about })
        .where('expires_at', '>', now())
        .first('sealed');
      if (!row) throw badLink();
      return { actor, payload: JSON.parse(seal.open(row.sealed).toString()) as Payload };
    },
  };
}
