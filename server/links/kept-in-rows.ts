import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { Clock } from '#server/clock.ts';
import type { Sealer } from '#server/datadir/sealing.ts';
import type { Kept } from './kept.ts';
import type { Links } from './links.ts';
import { LINK_LIFETIME, badLink } from './links.ts';

/** As in memory, of one user; what all have is bounded by how soon it runs out. */
const OF_ONE_USER = 50;

/** As `createKept`, where the link may be followed in another process than the one that gave it: sealed, in the database. */
export function createKeptInRows<What>({
  db,
  clock,
  links,
  seal,
}: {
  db: Knex;
  clock: Clock;
  links: Links;
  seal: Sealer;
}): Kept<What> {
  const nowIs = () => clock().toISOString();
  return {
    async keep(actor, what) {
      const about = `kept:${randomBytes(12).toString('base64url')}`;
      const token = links.sign(actor, about);
      const expires_at = new Date(clock().getTime() + LINK_LIFETIME).toISOString();
      const row = { about, user_id: actor.userId, sealed: seal.seal(JSON.stringify(what)), expires_at };
      await db.transaction(async (trx) => {
        await trx('kept_choices').where('expires_at', '<=', nowIs()).delete();
        const own = trx('kept_choices').where({ user_id: actor.userId });
        const old = await own
          .orderBy('expires_at', 'desc')
          .offset(OF_ONE_USER - 1)
          .pluck('about');
        await trx('kept_choices').whereIn('about', old).delete();
        await trx('kept_choices').insert(row);
      });
      return token;
    },

    async take(token) {
      const { actor, about } = await links.open(token);
      const row: { sealed: Buffer } | undefined = await db('kept_choices')
        .where({ about })
        .where('expires_at', '>', nowIs())
        .first('sealed');
      if (!row) throw badLink();
      return { actor, what: JSON.parse(seal.open(row.sealed).toString()) as What };
    },
  };
}
