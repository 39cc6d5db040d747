import type { Knex } from 'knex';
import { fold } from '#server/text/fold.ts';
import { BOUND_IDS, bindList, queryManyRows } from '#server/db/sql.ts';
import type { FirmViewer } from '#server/visibility/visible.ts';
import { rootedItems } from '#server/visibility/visible.ts';
import { joinLettersAndDigits } from './grams.ts';
import type { NameMatcher, Pattern } from './match.ts';
import { createClientMatcher, matchesFolded, matchesText } from './match.ts';

/** The columns of an item that matching by its own name, its folders and its client needs. */
export interface MatchableItem {
  id: number;
  name: string;
  parent_id: number | null;
  client_id: number | null;
}

/**
 * Filters items to those whose own name, folders' names and client's name together contain every word, in their order.
 * Exact for any number of items. Names and paths are cached between calls.
 */
export type ItemFilter = <R extends MatchableItem>(db: Knex, rows: Iterable<R>) => Promise<R[]>;

/** @param clientsByWord for each word the clients whose names contain it; without it the names are read on demand. */
export function createItemFilter(
  viewer: FirmViewer,
  words: readonly Pattern[],
  clientsByWord?: ReadonlyMap<Pattern, ReadonlySet<number>>,
): ItemFilter {
  const pathById = new Map<number, string | null>();
  const clientNames = new Map<number, string>();
  const clientNameContains = cachedMatcher(words, createClientMatcher, (id) => clientNames.get(id) ?? '');
  const clientContains = clientsByWord
    ? (id: number, word: Pattern) => clientsByWord.get(word)?.has(id) === true
    : clientNameContains;
  const pathContains = cachedMatcher(
    words,
    (word) => (path) => matchesText(path, word),
    (id) => fold(pathById.get(id) ?? ''),
  );

  return async (db, rows) => {
    const candidates = Array.from(rows, (row) => {
      const name = fold(row.name);
      const joined = joinLettersAndDigits(name);
      return { row, missing: words.filter((word) => !matchesFolded(name, joined, word)) };
    });
    if (!clientsByWord) await readClients(db, viewer, clientNames, idsToRead(candidates, 'client_id'));
    for (const candidate of candidates) {
      const client = candidate.row.client_id;
      if (client !== null && candidate.missing.length > 0)
        candidate.missing = candidate.missing.filter((word) => !clientContains(client, word));
    }
    // Paths are read only for items with words still missing.
    await readPaths(db, viewer, pathById, idsToRead(candidates, 'parent_id'));
    return candidates.flatMap(({ row, missing }) =>
      missing.every((word) => row.parent_id !== null && pathContains(row.parent_id, word)) ? [row] : [],
    );
  };
}

/** The clients or parent folders of the rows with words still missing. */
const idsToRead = (
  candidates: readonly { row: MatchableItem; missing: readonly Pattern[] }[],
  column: 'client_id' | 'parent_id',
): Set<number> =>
  new Set(
    candidates.flatMap(({ row, missing }) =>
      missing.length > 0 && row[column] !== null ? [row[column]] : [],
    ),
  );

/** A predicate whether the text of an id contains a word; each text is searched once and the result cached. */
function cachedMatcher(
  words: readonly Pattern[],
  createMatcher: (word: Pattern) => NameMatcher,
  textOf: (id: number) => string,
): (id: number, word: Pattern) => boolean {
  const matchers = words.map((word) => [word, createMatcher(word)] as const);
  const wordsById = new Map<number, ReadonlySet<Pattern>>();
  return (id, word) => {
    let contained = wordsById.get(id);
    if (!contained) {
      const text = textOf(id);
      contained = new Set(
        text === '' ? [] : matchers.flatMap(([word, matches]) => (matches(text) ? [word] : [])),
      );
      wordsById.set(id, contained);
    }
    return contained.has(word);
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
    `SELECT id, name FROM clients WHERE id IN (${BOUND_IDS}) AND firm_id = ?`,
    [bindList(ids), firmId],
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
       SELECT id, name, parent_id FROM ${rootedItems(viewer)} f WHERE id IN (${BOUND_IDS})
       UNION
       SELECT i.id, i.name, i.parent_id FROM up CROSS JOIN ${rootedItems(viewer)} i WHERE i.id = up.parent_id
     ) SELECT id, name, parent_id FROM up`,
    [bindList(ids)],
  );
  const folders = new Map(rows.map((row) => [row.id, row]));
  /** Null for a folder whose ancestors do not reach the root of the viewer's tree. */
  const pathOf = (id: number): string | null => {
    const cached = paths.get(id);
    if (cached !== undefined) return cached;
    const folder = folders.get(id);
    const parentPath = folder && folder.parent_id !== null ? pathOf(folder.parent_id) : '';
    const path =
      !folder || parentPath === null
        ? null
        : parentPath === ''
          ? folder.name
          : `${parentPath} / ${folder.name}`;
    paths.set(id, path);
    return path;
  };
  for (const id of ids) pathOf(id);
}
