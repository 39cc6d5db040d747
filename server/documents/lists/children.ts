import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { BOUND_IDS, bindList, queryManyRows, queryRow } from '#server/db/sql.ts';
import { nameKey } from '#server/text/file-names.ts';
import { andVisible, isAtRoot } from '#server/visibility/visible.ts';
import { requirePermission } from '../rows.ts';
import type { Child } from './contract.ts';

const COLUMNS = [
  'id',
  'name',
  'type',
  'file_type',
  'file_size',
  'sha256',
  'created_at',
  'modified_at',
  'original_at',
] as const;
const SELECT = `SELECT ${COLUMNS.map((column) => `i.${column}`).join(', ')} FROM items i WHERE i.firm_id = ?`;

/** The visible items in a folder (null for 'My Drive'), oldest first. @throws {AppError} 403. */
export function childrenOf(db: Knex, actor: Actor, folderId: number | null): Promise<Child[]> {
  requirePermission(actor, 'documents.read');
  const [where, bindings] =
    folderId === null ? [isAtRoot(actor, 'i'), []] : [`i.parent_id = ?${andVisible(actor, 'i')}`, [folderId]];
  return queryManyRows<Child>(db, COLUMNS, `${SELECT} AND ${where} ORDER BY i.id`, [
    actor.firmId,
    ...bindings,
  ]);
}

/** The oldest visible file with this content in a folder; null without one. @throws {AppError} 403. */
export async function contentIn(
  db: Knex,
  actor: Actor,
  folderId: number | null,
  { sha256, size }: { sha256: string; size: number },
): Promise<Pick<Child, 'id' | 'name'> | null> {
  requirePermission(actor, 'documents.read');
  const found = await queryRow<Pick<Child, 'id' | 'name'>>(
    db,
    `SELECT i.id, i.name FROM items i WHERE i.firm_id = ? AND i.sha256 = ? AND i.file_size = ?
     AND coalesce(i.parent_id, 0) = ?${andVisible(actor, 'i')} ORDER BY i.id LIMIT 1`,
    [actor.firmId, sha256, size, folderId ?? 0],
  );
  return found ?? null;
}

/**
 * A visible file of this content that a program of this user made, wherever it is now, but none of `others`; null if there is none.
 * @throws {AppError} 403.
 */
export async function contentMade(
  db: Knex,
  actor: Actor,
  { sha256, size, others }: { sha256: string; size: number; others: readonly number[] },
): Promise<Pick<Child, 'id' | 'name'> | null> {
  requirePermission(actor, 'documents.read');
  const found = await queryRow<Pick<Child, 'id' | 'name'>>(
    db,
    `SELECT i.id, i.name FROM items i JOIN program_documents p ON p.item_id = i.id AND p.user_id = ?
     WHERE i.firm_id = ? AND i.sha256 = ? AND i.file_size = ? AND i.id NOT IN (${BOUND_IDS})${andVisible(actor, 'i')}
     ORDER BY i.id LIMIT 1`,
    [actor.userId, actor.firmId, sha256, size, bindList(others)],
  );
  return found ?? null;
}

/**
 * The visible item of this name in a folder, ignoring case; null if there is none. For a user who sees only some
 * clients, 'My Drive' may show several items of one name: use `childrenOf` for those.
 * @throws {AppError} 403.
 */
export async function childNamed(
  db: Knex,
  actor: Actor,
  folderId: number | null,
  name: string,
): Promise<Child | null> {
  requirePermission(actor, 'documents.read');
  const rows = await queryManyRows<Child>(
    db,
    COLUMNS,
    `${SELECT} AND coalesce(i.parent_id, 0) = ? AND i.name_key = ?${andVisible(actor, 'i')}`,
    [actor.firmId, folderId ?? 0, nameKey(name)],
  );
  return rows[0] ?? null;
}
