import type { Knex } from 'knex';
import { fold } from '#server/text/fold.ts';
import { EACH, list, queryManyRows } from '#server/db/sql.ts';
import type { FirmViewer } from '#server/visibility/visible.ts';
import { rootedItems } from '#server/visibility/visible.ts';
import { join } from './grams.ts';
import type { Wanted } from './match.ts';
import { found, holds } from './match.ts';

/** The columns of an item that matching by its own name, its folders and its client needs. */
export interface Placed {
  id: number;
  name: string;
  parent_id: number | null;
  client_id: number | null;
}

/**
 * Filters items to those whose own name, folders' names and client's name together contain every word, in their order.
 * Exact for any number of items. Names and paths are cached between calls.
 */
export type Matching = <R extends Placed>(db: Knex, rows: Iterable<R>) => Promise<R[]>;

/** @param known for each word the clients whose names contain it; without it the names are read on demand. */
export function createMatching(
  viewer: FirmViewer,
  words: readonly Wanted[],
  known?: ReadonlyMap<Wanted, ReadonlySet<number>>,
): Matching {
  const paths = new Map<number, string | null>();
  const names = new Map<number, string>();
  const byName = finder(words, (id: number) => names.get(id) ?? '');
  const inClient = known ? (id: number, word: Wanted) => known.get(word)?.has(id) === true : byName;
  const inFolders = finder(words, (id: number) => fold(paths.get(id) ?? ''));

  return async (db, rows) => {
    const each = Array.from(rows, (row) => {
      const name = fold(row.name);
      const joined = join(name);
      return { row, missing: words.filter((word) => !found(name, joined, word)) };
    });
    if (!known) await readClients(db, viewer, names, open(each, 'client_id'));
    for (const one of each) {
      const client = one.row.client_id;
      if (client !== null && one.missing.length > 0)
        one.missing = one.missing.filter((word) => !inClient(client, word));
    }
    // Paths are read only for items with words still missing.
    await readPaths(db, viewer, paths, open(each, 'parent_id'));
    return each.flatMap(({ row, missing }) =>
      missing.every((word) => row.parent_id !== null && inFolders(row.parent_id, word)) ? [row] : [],
    );
  };
}

/** The clients or parent folders of the rows with words still missing. */
const open = (
  each: readonly { row: Placed; missing: readonly Wanted[] }[],
  column: 'client_id' | 'parent_id',
): Set<number> =>
  new Set(
    each.flatMap(({ row, missing }) => (missing.length > 0 && row[column] !== null ? [row[column]] : [])),
  );

/** A predicate whether the text of an id contains a word; each text is searched once and the result cached. */
function finder(
  words: readonly Wanted[],
  textOf: (id: number) => string,
): (id: number, word: Wanted) => boolean {
  const known = new Map<number, ReadonlySet<Wanted>>();
  return (id, word) => {
    let held = known.get(id);
    if (!held) {
      const text = textOf(id);
      held = new Set(text === '' ? [] : words.filter((one) => holds(text, one)));
      known.set(id, held);
    }
    return held.has(word);
  };
}

/** Adds the folded names of the firm's clients, by id. */
async function readClients(
  db: Knex,
  { firmId }: FirmViewer,
  names: Map<number, string>,
  wanted: Set<number>,
): Promise<void> {
  const ids = [...wanted].filter((id) => !names.has(id));
  if (ids.length === 0) return;
  const rows = await queryManyRows<{ id: number; name: string }>(
    db,
    ['id', 'name'],
    `SELECT id, name FROM clients WHERE id IN (${EACH}) AND firm_id = ?`,
    [list(ids), firmId],
  );
  for (const { id, name } of rows) names.set(id, fold(name));
}

/** Adds the path of each folder by its id; the query reads a shared ancestor once. */
async function readPaths(
  db: Knex,
  viewer: FirmViewer,
  paths: Map<number, string | null>,
  wanted: Set<number>,
): Promise<void> {
  const ids = [...wanted].filter((id) => !paths.has(id));
  if (ids.length === 0) return;
  const rows = await queryManyRows<{ id: number; name: string; parent_id: number | null }>(
    db,
    ['id', 'name', 'parent_id'],
    `WITH RECURSIVE up(id, name, parent_id) AS (
       SELECT id, name, parent_id FROM ${rootedItems(viewer)} f WHERE id IN (${EACH})
       UNION
       SELECT i.id, i.name, i.parent_id FROM up CROSS JOIN ${rootedItems(viewer)} i WHERE i.id = up.parent_id
     ) SELECT id, name, parent_id FROM up`,
    [list(ids)],
  );
  const folders = new Map(rows.map((row) => [row.id, row]));
  /** Null for a folder whose ancestors do not reach the root of the viewer's tree. */
  const pathOf = (id: number): string | null => {
    const known = paths.get(id);
    if (known !== undefined) return known;
    const folder = folders.get(id);
    const above = folder && folder.parent_id !== null ? pathOf(folder.parent_id) : '';
    const path = !folder || above === null ? null : above === '' ? folder.name : `${above} / ${folder.name}`;
    paths.set(id, path);
    return path;
  };
  for (const id of ids) pathOf(id);
}
