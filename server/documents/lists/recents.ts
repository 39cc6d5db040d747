import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { hasSmallShare } from '#server/visibility/share.ts';
import { andVisible, inScope, isVisible, only, visibleParent } from '#server/visibility/visible.ts';
import type { Activity } from '../contract.ts';
import { markSeen } from '../incoming/unseen.ts';
import { checkOnly, execute, expression, queryRows, valueRows } from '#server/db/sql.ts';

/** Items that are remembered for each user, about; the oldest are forgotten. */
const TOUCHES_KEPT = 200;
/** How often the oldest are looked for: one touch in so many. */
const TRIM_EVERY = 32;

/** Remembers that the actor opened or changed these items. `at` is ISO 8601, UTC. */
export async function recordRecent(
  trx: Knex.Transaction,
  actor: Actor,
  ids: readonly number[],
  at: string,
): Promise<void> {
  // The user's own recent files tell what the user has opened, and not who came by a link of theirs.
  const last = actor.recipient ? [] : ids.slice(-TOUCHES_KEPT);
  if (last.length === 0) return;
  await markSeen(trx, ids);
  await execute(
    trx,
    `INSERT INTO touches (user_id, item_id, touched_at) VALUES ${valueRows(last, 3)}
     ON CONFLICT (user_id, item_id) DO UPDATE SET touched_at = excluded.touched_at`,
    last.flatMap((id) => [actor.userId, id, at]),
  );
  if (last.length === 1 && last[0]! % TRIM_EVERY !== 0) return;
  await execute(
    trx,
    `DELETE FROM touches WHERE user_id = ? AND touched_at < (
       SELECT touched_at FROM touches WHERE user_id = ? ORDER BY touched_at DESC LIMIT 1 OFFSET ?
     )`,
    [actor.userId, actor.userId, TOUCHES_KEPT - 1],
  );
}

/** Files that count as touched when a whole folder comes: all of them would push out what the user worked on. */
const OF_FOLDER = 10;

/** As `touch`, for a folder that came with all it holds: itself first, then a few of its files. */
export async function recordRecentTree(
  trx: Knex.Transaction,
  actor: Actor,
  folder: { id: number; files: readonly number[] },
  at: Date,
): Promise<void> {
  await recordRecent(trx, actor, folder.files.slice(0, OF_FOLDER), at.toISOString());
  await recordRecent(trx, actor, [folder.id], new Date(at.getTime() + 1).toISOString());
}

/** What the actor touched last and is still there, the latest first. */
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

/** Which of a client's items somebody of the firm opened or changed last, the latest first. Each user's are a few hundred. */
export const activityOf = (db: Knex, actor: Actor, clientId: number, limit: number): Promise<Activity[]> =>
  queryRows(
    db,
    `SELECT i.id AS item_id, i.name, i.type, i.file_type, ${visibleParent(actor, 'i')} AS parent_id, u.name AS user_name, t.touched_at AS at
     FROM users u CROSS JOIN touches t ON t.user_id = u.id CROSS JOIN items i ON i.id = t.item_id
     WHERE u.firm_id = ? AND i.client_id = ?${andVisible(actor, 'i')} ORDER BY t.touched_at DESC, i.id DESC LIMIT ?`,
    [actor.firmId, clientId, limit],
  );

/** Ids of the files that were changed longest ago, of those that nobody has opened or changed since. */
export async function untouched(db: Knex, actor: Actor, since: string, limit: number): Promise<number[]> {
  const small = await hasSmallShare(db, actor);
  // In the order of the firm's files, unless the actor's own are so few that they are soon sorted.
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
