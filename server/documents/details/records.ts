import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { queryRows } from '#server/db/sql.ts';
import { visibleItems } from '#server/visibility/visible.ts';
import { holdingUnseen } from '../holding-unseen.ts';
import type { ItemRecords } from './contract.ts';

/** The records of all items that the actor sees, without those in Trash: oldest first, labels by name. */
export async function recordsOfAll(db: Knex, actor: Actor): Promise<ItemRecords> {
  const { firmId } = actor;
  const ofSeen = (record: string) => `CROSS JOIN ${visibleItems(actor)} i ON i.id = ${record}.item_id`;
  return {
    notes: await queryRows(
      db,
      `SELECT n.item_id, n.text, u.name AS user_name, n.created_at, n.edited_at
       FROM notes n JOIN users u ON u.id = n.user_id ${ofSeen('n')} WHERE n.firm_id = ? ORDER BY n.id`,
      [firmId],
    ),
    labels: await queryRows(
      db,
      `SELECT il.item_id, l.name, l.colour
       FROM labels l CROSS JOIN item_labels il ON il.label_id = l.id ${ofSeen('il')}
       WHERE l.firm_id = ? ORDER BY l.name_key`,
      [firmId],
    ),
    seals: await withoutUnseenSums(
      db,
      actor,
      await queryRows<ItemRecords['seals'][number]>(
        db,
        `SELECT s.item_id, s.name, s.reason, who.name AS by, s.sealed_at AS at, s.files, s.bytes, s.digest,
         s.broken_at, breaker.name AS broken_by, s.break_reason
       FROM seals s JOIN users who ON who.id = s.sealed_by LEFT JOIN users breaker ON breaker.id = s.broken_by
       ${ofSeen('s')} WHERE s.firm_id = ? ORDER BY s.id`,
        [firmId],
      ),
    ),
    versions: await queryRows(
      db,
      `SELECT v.item_id, v.name, v.file_size, v.sha256, u.name AS user_name, v.created_at, v.replaced_at,
         v.original_at, v.restored_from, v.kept_as
       FROM versions v JOIN users u ON u.id = v.user_id ${ofSeen('v')} WHERE v.firm_id = ? ORDER BY v.id`,
      [firmId],
    ),
  };
}

/** The seals without the sums of those that hold something the actor does not see. */
async function withoutUnseenSums<Seal extends ItemRecords['seals'][number]>(
  db: Knex,
  actor: Actor,
  seals: readonly Seal[],
): Promise<Seal[]> {
  const partly = new Set(
    await holdingUnseen(
      db,
      actor,
      seals.map(({ item_id }) => item_id),
    ),
  );
  return seals.map((seal) => (partly.has(seal.item_id) ? { ...seal, files: 0, bytes: 0, digest: '' } : seal));
}
