import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import { checkOnly, placeholders, queryRow, queryRows } from '#server/db/sql.ts';
import { decodeCursor, encodeCursor, text, whole } from '#server/http/cursor.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import { andVisible, inScope, isVisibleOne, seesAll, visibleParent } from '#server/visibility/visible.ts';
import { requirePermission } from '../rows.ts';
import { paths } from '../tree.ts';
import { viewsOf } from '../views.ts';
import type { DuplicatesPage, EarlierCopy } from './contract.ts';
import { COPIES_SHOWN, GROUPS_SHOWN } from './contract.ts';

interface Group {
  sha256: string;
  copies: number;
  bytes: number;
  waste: number;
}

/** SQL: bytes of all copies but one. */
const WASTE = '(count(*) - 1) * file_size';

/** Files with identical content. Files that the actor does not see do not count as copies. */
export function createDuplicates({ db }: { db: Knex }) {
  return {
    /** A page of groups, largest waste first. @throws {AppError} 403; 422 for a cursor of another list. */
    async list(actor: Actor, cursor?: string): Promise<DuplicatesPage> {
      requirePermission(actor, 'documents.read');
      const after = cursor === undefined ? null : decodeCursor(cursor, ['duplicates', whole, text] as const);
      const rows = await queryRows<Group>(
        db,
        `SELECT sha256, count(*) AS copies, file_size AS bytes, ${WASTE} AS waste FROM items
         WHERE firm_id = ? AND sha256 IS NOT NULL AND file_size > 0${andVisible(actor)}
         GROUP BY sha256, file_size HAVING count(*) > 1
           ${after ? `AND (${WASTE} < ? OR (${WASTE} = ? AND sha256 > ?))` : ''}
         ORDER BY waste DESC, sha256 LIMIT ?`,
        [actor.firmId, ...(after ? [after[1], after[1], after[2]] : []), GROUPS_SHOWN + 1],
      );
      const page = rows.slice(0, GROUPS_SHOWN);
      const last = rows.length > GROUPS_SHOWN ? page.at(-1)! : null;
      const copies = await copiesOf(db, actor, page);
      const views = await viewsOf(db, actor, [...copies.values()].flat());
      const byId = new Map(views.map((view) => [view.id, view]));
      return {
        groups: page.map(({ sha256, copies: count, bytes, waste }) => ({
          sha256,
          files: (copies.get(sha256) ?? []).flatMap((id) => byId.get(id) ?? []),
          count,
          bytes,
          waste,
          formatted_waste: formatBytes(waste),
        })),
        next_cursor: last && encodeCursor(['duplicates', last.waste, last.sha256]),
      };
    },

    /**
     * The oldest other file with the same content; null when the actor sees none. Earlier versions and files in Trash
     * do not count.
     */
    async copyOf(actor: Actor, id: number): Promise<EarlierCopy | null> {
      if (!may(actor, 'documents.read')) return null;
      // Selected by client through an index and sorted afterwards: the query never visits copies that the actor does
      // not see, so its duration does not reveal them.
      const seen = seesAll(actor)
        ? ''
        : ` AND ${isVisibleOne(actor, 'own')} AND other.file_size = own.file_size AND ${inScope(actor, 'other')}`;
      const copy = await queryRow<Omit<EarlierCopy, 'path'>>(
        db,
        `SELECT other.id, other.name, ${visibleParent(actor, 'other')} AS parent_id
         FROM items own JOIN items other
           ON other.firm_id = own.firm_id AND other.sha256 = own.sha256 AND other.id <> own.id
         WHERE own.id = ? AND own.firm_id = ? AND own.file_size > 0${seen}
         ORDER BY ${seesAll(actor) ? 'other.id' : checkOnly('other.id')} LIMIT 1`,
        [id, actor.firmId],
      );
      if (!copy) return null;
      const above = await paths(db, actor, [copy.parent_id]);
      return { ...copy, path: above.get(copy.parent_id ?? 0) ?? '' };
    },
  };
}
export type Duplicates = ReturnType<typeof createDuplicates>;

/** The ids of the files of each group, oldest first, at most `COPIES_SHOWN`. */
async function copiesOf(
  db: Knex,
  actor: Actor,
  groups: readonly Pick<Group, 'sha256'>[],
): Promise<Map<string, number[]>> {
  if (groups.length === 0) return new Map();
  const rows = await queryRows<{ id: number; sha256: string }>(
    db,
    `SELECT id, sha256 FROM (
       SELECT id, sha256, row_number() OVER (PARTITION BY sha256 ORDER BY id) AS place FROM items
       WHERE firm_id = ? AND sha256 IN (${placeholders(groups)})${andVisible(actor)}
     ) AS numbered WHERE place <= ? ORDER BY id`,
    [actor.firmId, ...groups.map(({ sha256 }) => sha256), COPIES_SHOWN],
  );
  const ids = new Map<string, number[]>();
  for (const { id, sha256 } of rows) ids.set(sha256, [...(ids.get(sha256) ?? []), id]);
  return ids;
}
