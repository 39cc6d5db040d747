import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { notFound } from '#server/http/errors.ts';
import { freeName } from './add.ts';
import type { FolderState, FolderTree } from '../contract.ts';
import { nameKey, repairName } from '../../text/names.ts';
import { sortKey } from '../../text/sort-key.ts';
import { demand } from '../rows.ts';
import { EACH_TEXT, checkOnly, eachRow, list, queryRows } from '../../db/sql.ts';
import { paths } from '../tree.ts';
import { isVisible, isVisibleClient, only, seesAll } from '#server/visibility/visible.ts';
import type { Writing } from './parts.ts';
import { searchIndex } from '#server/search/index.ts';

/** What became of a tree of folders, or would. */
export interface Merged {
  /** Names of the folders in which the client's folder lies; '' at the root. */
  path: string;
  created: number;
  existing: number;
  /** Not created: a file has the name of one of them, or of the one they would lie in; or that is sealed. */
  taken: number;
  /** The folder that stands last among these; null while it is not there. */
  last: number | null;
  /** The client's folder first; what would lie in a taken name, or below what cannot be made, is left out. */
  folders: FolderState[];
}

interface Client {
  id: number;
  name: string;
}

interface Place extends FolderState {
  /** Null while it is not there. */
  id: number | null;
  inside: readonly FolderTree[];
  /** Nothing new is made in it. */
  sealed: boolean;
  /** What lies in it, once that is known. */
  places: Place[];
}

/**
 * The folder in which a client's own are made: at the root, named after the client and linked to it; else another one
 * linked to it at the root, the oldest; else one that is named after it and linked to it further down.
 */
async function folderOf(db: Knex, actor: Actor, client: Client): Promise<FolderRow | null> {
  const rows = await queryRows<FolderRow>(
    db,
    `SELECT id, name, parent_id, sealed FROM items
     WHERE client_id = ? AND file_type IS NULL AND type = 'folder' AND ${checkOnly('firm_id')} = ? AND (parent_id IS NULL OR name_key = ?)
     ORDER BY parent_id IS NULL DESC, name_key = ? DESC, id LIMIT 1`,
    [client.id, actor.firmId, nameKey(repairName(client.name)), nameKey(repairName(client.name))],
  );
  return rows[0] ?? null;
}

interface FolderRow {
  id: number;
  name: string;
  parent_id: number | null;
  sealed: number | null;
}

/** Of a new folder for a client: its name, or the next free one when that is taken. */
async function rootName(db: Knex, { firmId }: Actor, client: Client): Promise<string> {
  const name = repairName(client.name);
  const taken = await db('items')
    .where({ firm_id: firmId, name_key: nameKey(name) })
    .whereRaw('coalesce(parent_id, 0) = 0')
    .first('id');
  return taken ? freeName(db, firmId, null, name) : name;
}

interface Child {
  id: number;
  parent_id: number;
  name: string;
  name_key: string;
  type: 'folder' | 'file';
  sealed: number | null;
  /** 0 for what the actor does not see: then its name is taken, and that is all there is to tell. */
  seen: number;
}

/** What stands in these folders under one of these names, by folder and name. */
async function childrenOf(db: Knex, actor: Actor, parents: readonly Place[]): Promise<Map<string, Child>> {
  const keys = parents.flatMap(({ inside }) => inside.map(({ name }) => nameKey(name)));
  const ids = parents.flatMap(({ id }) => (id === null ? [] : [id]));
  if (ids.length === 0) return new Map();
  const rows = await queryRows<Child>(
    db,
    `SELECT i.id, i.parent_id, i.name, i.name_key, i.type, i.sealed,
       ${seesAll(actor) ? '1' : `CASE WHEN ${isVisible(actor, 'i')} THEN 1 ELSE 0 END`} AS seen FROM ${eachRow('p')} CROSS JOIN items i
     WHERE i.firm_id = ? AND coalesce(i.parent_id, 0) = p.value AND i.name_key IN (${EACH_TEXT})`,
    [list(ids), actor.firmId, list(new Set(keys))],
  );
  return new Map(rows.map((row) => [`${row.parent_id}/${row.name_key}`, row]));
}

const countOf = (folders: readonly FolderTree[]): number =>
  folders.reduce((sum, { folders: inside }) => sum + 1 + countOf(inside), 0);

/** Finds the folders of a tree that are there, level by level; `make` makes those that are not, or leaves them so. */
async function merge(
  db: Knex,
  actor: Actor,
  client: Client,
  tree: readonly FolderTree[],
  make: ((places: readonly Place[], parents: readonly (number | null)[]) => Promise<void>) | null,
): Promise<Merged> {
  const there = await folderOf(db, actor, client);
  const top: Place = {
    name: there?.name ?? (await rootName(db, actor, client)),
    depth: 0,
    state: there ? 'there' : 'new',
    id: there?.id ?? null,
    inside: tree,
    sealed: there?.sealed != null,
    places: [],
  };
  if (!there) await make?.([top], [null]);
  let taken = 0;
  for (let level = [top]; level.length > 0;) {
    const known = await childrenOf(db, actor, level);
    const made: Place[] = [];
    const parents: (number | null)[] = [];
    for (const parent of level)
      for (const { name, folders } of parent.inside) {
        const found = parent.id === null ? undefined : known.get(`${parent.id}/${nameKey(name)}`);
        const folder = found?.type === 'folder' && found.seen === 1;
        const state = folder ? 'there' : found ? 'taken' : parent.sealed ? 'sealed' : 'new';
        const place: Place = {
          name: found?.seen ? found.name : name,
          depth: parent.depth + 1,
          state,
          id: found?.id ?? null,
          inside: folders,
          sealed: found?.sealed != null,
          places: [],
        };
        parent.places.push(place);
        if (state === 'taken' || state === 'sealed') taken += 1 + countOf(folders);
        if (state !== 'new') continue;
        made.push(place);
        parents.push(parent.id);
      }
    if (made.length > 0) await make?.(made, parents);
    level = level.flatMap(({ places }) => places).filter(({ state }) => state === 'new' || state === 'there');
  }
  const folders = flat(top);
  const lastOf = (place: Place): Place => (place.places.length > 0 ? lastOf(place.places.at(-1)!) : place);
  const { id: last } = lastOf(top);
  const count = (wanted: FolderState['state']) => folders.filter(({ state }) => state === wanted).length;
  const path = there?.parent_id ? (await paths(db, actor, [there.parent_id])).get(there.parent_id) : '';
  return { path: path ?? '', created: count('new'), existing: count('there'), taken, last, folders };
}

const flat = ({ name, depth, state, places }: Place): FolderState[] => [
  { name, depth, state },
  ...places.flatMap(flat),
];

/** Creates whole trees of folders for clients; what is there already is used and left as it is. */
export function createMerging({ db, clock }: Pick<Writing, 'db' | 'clock'>) {
  const insert =
    (trx: Knex.Transaction, actor: Actor, client: Client) =>
    async (places: readonly Place[], parents: readonly (number | null)[]): Promise<void> => {
      const now = clock().toISOString();
      const rows = places.map(({ name }, at) => ({
        firm_id: actor.firmId,
        owner_id: actor.userId,
        client_id: client.id,
        parent_id: parents[at] ?? null,
        type: 'folder',
        name,
        name_key: nameKey(name),
        sort_key: sortKey(name),
        created_at: now,
        modified_at: now,
      }));
      const made: { id: number; parent_id: number | null; name: string }[] = await trx('item_rows')
        .insert(rows)
        .returning(['id', 'parent_id', 'name']);
      const ids = new Map(made.map(({ id, parent_id, name }) => [`${parent_id}/${name}`, id]));
      for (const [at, place] of places.entries())
        place.id = ids.get(`${parents[at] ?? null}/${place.name}`) ?? null;
      await searchIndex.addAll(
        trx,
        made.map(({ id, name }) => ({ id, grams: searchIndex.gramsOf(actor.firmId, name) })),
      );
    };

  return {
    /**
     * Makes a tree of folders in a client's folder, all linked to the client, in one transaction. A folder that is
     * there is used; a name that a file has is left out with all that would lie in it. `settle` runs in the same
     * transaction. Names have to be clean, and differ within each folder.
     * @throws {AppError} 403; 404 when the client is not the firm's.
     */
    mergeFolders(
      actor: Actor,
      client: Client,
      tree: readonly FolderTree[],
      settle: (trx: Knex.Transaction, merged: Merged) => Promise<void>,
    ): Promise<Merged> {
      demand(actor, 'documents.write');
      return db.transaction(async (trx) => {
        const own = { id: client.id, firm_id: actor.firmId };
        if (!(await only(trx('clients').where(own), isVisibleClient(actor)).first('id')))
          throw notFound('client');
        const merged = await merge(trx, actor, client, tree, insert(trx, actor, client));
        await settle(trx, merged);
        return merged;
      });
    },

    /** What `mergeFolders` would do now. @throws {AppError} 403. */
    async previewFolders(actor: Actor, client: Client, tree: readonly FolderTree[]): Promise<Merged> {
      demand(actor, 'documents.write');
      return merge(db, actor, client, tree, null);
    },
  };
}
