import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { hasSmallShare } from '#server/visibility/small-share.ts';
import { andVisible, inScope, isVisible, only, visibleParent } from '#server/visibility/visible.ts';
import type { Activity } from '../contract.ts';
import { markSeen } from '../incoming/unseen.ts';
import { writeBeforeCommit } from '#server/db/collected-writes.ts';
import { checkOnly, execute, expression, queryRows, valueRows } from '#server/db/sql.ts';

/** About so many recents are kept per user; older ones are deleted. */
const MAX_TOUCHES = 200;
/** Old recents are deleted at one of so many writes. */
const TRIM_EVERY = 32;

/** Records that the actor opened or changed these items. @param time ISO 8601, UTC. */
export async function recordRecent(
  trx: Knex.Transaction,
  actor: Actor,
  ids: readonly number[],
  time: string,
): Promise<void> {
  if (!actor.recipient && ids.length > 0) await markSeen(trx, ids);
  await recordAdded(trx, actor, ids, time);
}

interface Recents {
  userId: number;
  ids: readonly number[];
  time: string;
}

async function writeRecents(trx: Knex.Transaction, rows: readonly Recents[]): Promise<void> {
  // PostgreSQL refuses to update a row twice in one statement.
  const touches = new Map(
    rows.flatMap(({ userId, ids, time }) =>
      ids.map((id) => [`${userId} ${id}`, [userId, id, time]] as const),
    ),
  );
  await execute(
    trx,
    `INSERT INTO touches (user_id, item_id, touched_at) VALUES ${valueRows([...touches], 3)}
     ON CONFLICT (user_id, item_id) DO UPDATE SET touched_at = excluded.touched_at`,
    [...touches.values()].flat(),
  );
  const trimmed = rows.filter(({ ids }) => ids.length > 1 || ids[0]! % TRIM_EVERY === 0);
  for (const userId of new Set(trimmed.map((row) => row.userId))) {
    await execute(
      trx,
      `DELETE FROM touches WHERE user_id = ? AND touched_at < (
         SELECT touched_at FROM touches WHERE user_id = ? ORDER BY touched_at DESC LIMIT 1 OFFSET ?
       )`,
      [userId, userId, MAX_TOUCHES - 1],
    );
  }
}

/** `recordRecent` for items that the actor adds in this transaction: they cannot be unseen yet. */
export async function recordAdded(
  trx: Knex.Transaction,
  actor: Actor,
  ids: readonly number[],
  time: string,
): Promise<void> {
  // An actor behind a link of a user must not change that user's recents.
  const last = actor.recipient ? [] : ids.slice(-MAX_TOUCHES);
  if (last.length > 0) await writeBeforeCommit(trx, writeRecents, { userId: actor.userId, ids: last, time });
}

/** Files of an added folder that become recents; all of them would displace the user's own work. */
const MAX_PER_FOLDER = 10;

/** `recordAdded` for an added folder and a few of its files. The folder comes first in the list. */
export async function recordRecentTree(
  trx: Knex.Transaction,
  actor: Actor,
  folder: { id: number; files: readonly number[] },
  time: Date,
): Promise<void> {
  await recordAdded(trx, actor, folder.files.slice(0, MAX_PER_FOLDER), time.toISOString());
  await recordAdded(trx, actor, [folder.id], new Date(time.getTime() + 1).toISOString());
}

/** The actor's recents that still exist, newest first. */
export async function touched(
  db: Knex,
  actor: Actor,
  limit: number,
): Promise<{ item_id: number; touched_at: string }[]> {
  return db('touches')
    .where('user_id', actor.userId)
    .whereExists(
      only(db('items').whereRaw('items.id = touches.item_id'), isVisible(actor)).select(expression(db, '1')),
    )
    .orderBy([
      { column: 'touched_at', order: 'desc' },
      { column: 'item_id', order: 'desc' },
    ])
    .limit(limit)
    .select('item_id', 'touched_at');
}

/**
 * Items of a client that users of the firm opened or changed last, newest first. A user has a few hundred recents.
 */
export const activityOf = (db: Knex, actor: Actor, clientId: number, limit: number): Promise<Activity[]> =>
  queryRows(
    db,
    `SELECT i.id AS item_id, i.name, i.type, i.file_type, ${visibleParent(actor, 'i')} AS parent_id, u.name AS user_name, t.touched_at AS at
     FROM users u CROSS JOIN touches t ON t.user_id = u.id CROSS JOIN items i ON i.id = t.item_id
     WHERE u.firm_id = ? AND i.client_id = ?${andVisible(actor, 'i')} ORDER BY t.touched_at DESC, i.id DESC LIMIT ?`,
    [actor.firmId, clientId, limit],
  );

/** Ids of the files changed longest ago that nobody has opened or changed since. */
export async function untouched(db: Knex, actor: Actor, since: string, limit: number): Promise<number[]> {
  const small = await hasSmallShare(db, actor);
  // In the order of the firm's index, unless the actor's own files are few enough to sort.
  const order = small ? `${checkOnly('modified_at')}, ${checkOnly('id')}` : 'modified_at, id';
  return only(db('items'), small ? inScope(actor) : isVisible(actor))
    .where({ firm_id: actor.firmId, type: 'file' })
    .whereRaw(`${small ? checkOnly('modified_at') : 'modified_at'} < ?`, [since])
    .whereNotExists(
      db('touches')
        .whereRaw('touches.item_id = items.id')
        .where('touched_at', '>=', since)
        .select(expression(db, '1')),
    )
    .orderByRaw(order)
    .limit(limit)
    .pluck('id');
}
