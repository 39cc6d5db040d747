import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { AppError } from '#server/http/errors.ts';
import { invalid } from '#server/http/errors.ts';
import type { Limits } from '#server/subscription/contract.ts';
import type { StoredBlob } from '#storage/blobs.ts';
import type { ExpectedContent } from '../contract.ts';
import type { ItemRow } from '../model.ts';
import { aroundNumber, nameKey } from '../../text/file-names.ts';
import { sortKey } from '../../text/sort-key.ts';
import { taken, takenBytes } from '../../records/usage.ts';
import {
  andVisibleClient,
  isVisible,
  isVisibleClient,
  only,
  seesUnassigned,
  visibleItems,
} from '#server/visibility/visible.ts';
import { queryRows } from '#server/db/sql.ts';
import { sealOfFolder, sealedError } from '../seals/guard.ts';
import { quotaExceeded } from './quota-exceeded.ts';
import { NO_CLIENT, NO_FOLDER } from '#server/text/not-there.ts';

/** For a name that is taken by an item that the actor does not see. */
export const UNUSABLE_NAME = 'This name cannot be used here. Choose another one.';
const OF_NOBODY = 'Choose a client, or a folder of a client: what belongs to no client is not shown to you.';

export interface NewItem {
  name: string;
  parent_id: number | null;
  client_id: number | null;
  /** Null for a folder. */
  file: {
    file_type: string;
    blob: StoredBlob;
    limits: Limits;
    original_at: string | null;
    /** Whether the sender has not seen what the content replaces, which then always becomes a version. */
    copied?: boolean;
    /** The name of the file on the sender's disk, for the history, where the item has another one. */
    uploaded_as?: string | undefined;
    expected?: ExpectedContent | undefined;
  } | null;
  /**
   * Adds a version to a file of this folder instead of a new file: to the one of the name, or of an id if it is still
   * there. Null adds a new file.
   */
  replace?: 'name' | number | null;
  now: string;
}

type Inserted = Pick<ItemRow, 'id' | 'name' | 'client_id' | 'client_name' | 'owner_name'>;

/**
 * Inserts an item if its folder and client belong to the firm, the quota allows it and the name is free, in a single
 * statement: SQLite has one writer, and every upload waits for it. Null if a condition fails; `placementError` finds which.
 */
export async function insertItem(
  trx: Knex.Transaction,
  actor: Actor,
  item: NewItem,
): Promise<Inserted | null> {
  const { name, parent_id, client_id, file, now } = item;
  const bindings: Knex.RawBinding[] = [
    actor.firmId,
    parent_id,
    file ? 'file' : 'folder',
    name,
    nameKey(name),
    sortKey(name),
  ];
  bindings.push(
    file?.file_type ?? null,
    file?.blob.size ?? null,
    file?.blob.id ?? null,
    file?.blob.sha256 ?? null,
    file?.blob.crc32 ?? null,
  );
  // A new item without an explicit client gets the client of its folder.
  const client =
    parent_id === null
      ? '?'
      : '(SELECT id FROM clients WHERE id = coalesce(?, p.client_id) AND firm_id = p.firm_id)';
  bindings.push(client_id, actor.userId, now, now, file?.original_at ?? null);
  let from = '';
  let where = 'true';
  if (parent_id !== null) {
    from = `FROM ${visibleItems(actor)} p`;
    where = `p.id = ? AND p.firm_id = ? AND p.type = 'folder' AND p.sealed IS NULL`;
    bindings.push(parent_id, actor.firmId);
  }
  if (client_id !== null) {
    where += ` AND EXISTS (SELECT 1 FROM clients WHERE id = ? AND firm_id = ?${andVisibleClient(actor)})`;
    bindings.push(client_id, actor.firmId);
  }
  if (wouldBeInvisible(actor, item)) where += ' AND false';
  if (file) {
    const before = takenBytes(actor.firmId);
    where += ` AND ${before.sql} + ? <= ?`;
    bindings.push(...before.bindings, file.blob.size, file.limits.bytes);
  }
  const rows = await queryRows<Inserted>(
    trx,
    `INSERT INTO item_rows (firm_id, parent_id, type, name, name_key, sort_key, file_type, file_size, blob_id, sha256,
       crc32, client_id, owner_id, created_at, modified_at, original_at)
     SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${client}, ?, ?, ?, ? ${from} WHERE ${where}
     ON CONFLICT DO NOTHING
     RETURNING id, name, client_id, (SELECT name FROM clients WHERE clients.id = item_rows.client_id) AS client_name,
       (SELECT name FROM users WHERE users.id = item_rows.owner_id) AS owner_name`,
    bindings,
  );
  return rows[0] ?? null;
}

/** Whether the item would belong to no client, and the actor does not see such items. */
const wouldBeInvisible = (
  actor: Actor,
  place: { parent_id: number | null; client_id: number | null },
): boolean => place.parent_id === null && place.client_id === null && !seesUnassigned(actor);

/** The reason why an item cannot be added in a folder, for a client; null if it can. @param room.bytes size of the item. */
export async function placementError(
  db: Knex,
  actor: Actor,
  place: { parent_id: number | null; client_id: number | null },
  room?: { bytes: number; limits: Limits },
): Promise<AppError | null> {
  const errors: Record<string, string[]> = {};
  const { parent_id, client_id } = place;
  const inFirm = { firm_id: actor.firmId };
  if (
    parent_id !== null &&
    !(await only(db('items'), isVisible(actor))
      .where({ ...inFirm, id: parent_id, type: 'folder' })
      .first('id'))
  ) {
    errors.parent_id = [NO_FOLDER];
  }
  if (
    client_id !== null &&
    !(await only(db('clients'), isVisibleClient(actor))
      .where({ ...inFirm, id: client_id })
      .first('id'))
  ) {
    errors.client_id = [NO_CLIENT];
  }
  if (wouldBeInvisible(actor, place)) errors.client_id = [OF_NOBODY];
  if (Object.keys(errors).length > 0) return invalid(errors);
  const seal = await sealOfFolder(db, actor, parent_id);
  if (seal) return sealedError(seal, 'parent_id');
  return room ? roomError(db, actor, room) : null;
}

/** The error if the firm's storage has no room for so many bytes; null if it has. */
export async function roomError(
  db: Knex,
  actor: Actor,
  room: { bytes: number; limits: Limits },
): Promise<AppError | null> {
  const before = await taken(db, actor.firmId);
  return before + room.bytes > room.limits.bytes ? quotaExceeded(db, actor, before, room) : null;
}

/**
 * A free `name (2)`, `name (3)`… in a folder in which `name` is taken. One statement with an exponential and then a
 * binary search, so that the ten-thousandth `scan.pdf` costs some thirty lookups.
 */
export async function freeName(
  db: Knex,
  firmId: number,
  parentId: number | null,
  name: string,
): Promise<string> {
  const { head, tail } = aroundNumber(name);
  const rows = await queryRows<{ free: number }>(
    db,
    `WITH RECURSIVE probe(taken, free, at) AS (
       SELECT 1, CAST(NULL AS integer), 2
       UNION ALL
       SELECT CASE WHEN i.id IS NULL THEN taken ELSE at END,
              CASE WHEN i.id IS NULL THEN at ELSE free END,
              CASE WHEN i.id IS NULL THEN (taken + at) / 2 WHEN free IS NULL THEN at * 2 ELSE (at + free) / 2 END
       FROM probe LEFT JOIN items i
         ON i.firm_id = ? AND coalesce(i.parent_id, 0) = ? AND i.name_key = ? || ' (' || at || ')' || ?
       WHERE free IS NULL OR free > taken + 1
     ) SELECT free FROM probe WHERE free = taken + 1`,
    [firmId, parentId ?? 0, nameKey(head), nameKey(tail)],
  );
  return `${head} (${rows[0]!.free})${tail}`;
}
