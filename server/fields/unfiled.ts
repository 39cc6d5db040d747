import type { Knex } from 'knex';
import { BOUND_IDS, bindList, queryManyRows } from '#server/db/sql.ts';
import { andReadable } from '#server/visibility/readable.ts';
import type { FirmViewer } from '#server/visibility/visible.ts';
import { andVisible } from '#server/visibility/visible.ts';

/** Which files to look through: those without a client, and those directly in these folders. */
export interface UnfiledScope {
  withoutClient: boolean;
  folders: readonly number[];
}

export interface Unfiled {
  /** Files with known values: those with a type and a year first, then the newest. */
  known: number[];
  /** Files of which nothing is known: not read yet, or without text. */
  unknown: number[];
}

/**
 * The unsealed files of a scope that the actor sees, by whether any values of them are known. The query tells them apart,
 * so that any number of newer files without values hides none that has some.
 */
export async function unfiledOf(
  db: Knex,
  actor: FirmViewer,
  { withoutClient, folders }: UnfiledScope,
): Promise<Unfiled> {
  const { firmId } = actor;
  const sources: { sql: string; bindings: (string | number)[] }[] = [];
  if (withoutClient)
    sources.push({
      sql: 'SELECT id FROM items WHERE firm_id = ? AND scope_client_id = 0 AND file_type IS NOT NULL',
      bindings: [firmId],
    });
  if (folders.length > 0)
    sources.push({
      sql: `SELECT id FROM items WHERE parent_id IN (${BOUND_IDS}) AND file_type IS NOT NULL`,
      bindings: [bindList(folders)],
    });
  if (sources.length === 0) return { known: [], unknown: [] };
  const rows = await queryManyRows<{ id: number; known: number }>(
    db,
    ['id', 'known'],
    `SELECT i.id, CASE WHEN f.sha256 IS NULL AND a.sha256 IS NULL THEN 0
        WHEN coalesce(a.type_hash, f.type_hash, '') <> '' AND coalesce(a.year_hash, f.year_hash, '') <> '' THEN 2
        ELSE 1 END AS known
      FROM items i
      LEFT JOIN document_fields f ON f.firm_id = i.firm_id AND f.sha256 = i.sha256${andReadable(actor, 'f.sha256')}
      LEFT JOIN field_answers a ON a.item_id = i.id AND a.sha256 = i.sha256${andReadable(actor, 'a.sha256')}
      WHERE i.id IN (${sources.map(({ sql }) => sql).join(' UNION ')})
        AND i.firm_id = ? AND i.sealed IS NULL${andVisible(actor, 'i')}
      ORDER BY known DESC, i.id DESC`,
    [...sources.flatMap(({ bindings }) => bindings), firmId],
  );
  const idsOf = (isKnown: boolean) => rows.flatMap(({ id, known }) => (known > 0 === isKnown ? [id] : []));
  return { known: idsOf(true), unknown: idsOf(false) };
}
