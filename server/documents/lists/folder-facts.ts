import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { BOUND_IDS, bindList } from '../../db/sql.ts';
import type { Taken } from '../contract.ts';
import { toView } from '../model.ts';
import { itemRows } from '../rows.ts';

/** Adds to the folders among the items how much they hold, and their client. */
export async function withFolderFacts(db: Knex, actor: Actor, taken: readonly Taken[]): Promise<Taken[]> {
  const ids = taken.flatMap(({ id, type }) => (type === 'folder' ? [id] : []));
  if (ids.length === 0) return [...taken];
  const rows = await itemRows(db, actor).whereRaw(`i.id IN (${BOUND_IDS})`, [bindList(new Set(ids))]);
  const byId = new Map(rows.map((row) => [row.id, toView(row)]));
  return taken.map((one) => {
    const folder = byId.get(one.id);
    return folder ? { ...one, children_count: folder.children_count, client: folder.client } : one;
  });
}
