import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { notFound } from '#server/http/errors.ts';
import { freeName } from './insert-item.ts';
import type { FolderState, FolderTree } from '../contract.ts';
import { nameKey, repairName } from '../../text/file-names.ts';
import { sortKey } from '../../text/sort-key.ts';
import { requirePermission } from '../rows.ts';
import { BOUND_TEXTS, checkOnly, boundIdRows, bindList, queryRows } from '../../db/sql.ts';
import { paths } from '../tree.ts';
import { isVisible, isVisibleClient, only, seesAll } from '#server/visibility/visible.ts';
import type { ChangeDependencies } from './dependencies.ts';
import { searchIndex } from '#server/search/index.ts';

/** The result of merging a tree of folders, or of its preview. */
interface MergeResult {
  /** Names of the folders above the client's folder; '' at the root. */
  path: string;
  created: number;
  existing: number;
  /** Not created, because a file has this name, the parent was not created, or the parent is sealed. */
  taken: number;
  /** The last folder of the tree; null while it does not exist. */
  last: number | null;
  /** The ids of the created folders, outer ones first. */
  made: number[];
  /** The client's folder first. Folders below one that cannot be created are left out. */
  folders: FolderState[];
}

interface Client {
  id: number;
  name: string;
}

interface FolderNode extends FolderState {
  /** Null while the folder does not exist. */
  id: number | null;
  inside: readonly FolderTree[];
  /** Sealed: no folder may be created in it. */
  sealed: boolean;
  /** The folders in it, once they are resolved. */
  nodes: FolderNode[];
}

/**
 * The client's folder: a folder at the root that is linked to the client, preferably named after the client, else the
 * oldest; else a folder further down that is linked to the client and named after it.
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

/** Name of a new folder for a client: the client's name, with a number if it is taken. */
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
  /** 0 if the actor does not see it; then only the fact that the name is taken may be shown. */
  seen: number;
}

/** Existing items with one of the wanted names, by folder id and name key. */
async function childrenOf(
  db: Knex,
  actor: Actor,
  parents: readonly FolderNode[],
): Promise<Map<string, Child>> {
  const keys = parents.flatMap(({ inside }) => inside.map(({ name }) => nameKey(name)));
  const ids = parents.flatMap(({ id }) => (id === null ? [] : [id]));
  if (ids.length === 0) return new Map();
  const rows = await queryRows<Child>(
    db,
    `SELECT i.id, i.parent_id, i.name, i.name_key, i.type, i.sealed,
       ${seesAll(actor) ? '1' : `CASE WHEN ${isVisible(actor, 'i')} THEN 1 ELSE 0 END`} AS seen FROM ${boundIdRows('p')} CROSS JOIN items i
     WHERE i.firm_id = ? AND coalesce(i.parent_id, 0) = p.value AND i.name_key IN (${BOUND_TEXTS})`,
    [bindList(ids), actor.firmId, bindList(new Set(keys))],
  );
  return new Map(rows.map((row) => [`${row.parent_id}/${row.name_key}`, row]));
}

const countOf = (folders: readonly FolderTree[]): number =>
  folders.reduce((sum, { folders: inside }) => sum + 1 + countOf(inside), 0);

/** Resolves the folders of a tree level by level. @param create creates the missing ones; null for a preview. */
async function merge(
  db: Knex,
  actor: Actor,
  client: Client,
  tree: readonly FolderTree[],
  create: ((nodes: readonly FolderNode[], parents: readonly (number | null)[]) => Promise<void>) | null,
): Promise<MergeResult> {
  const there = await folderOf(db, actor, client);
  const top: FolderNode = {
    name: there?.name ?? (await rootName(db, actor, client)),
    depth: 0,
    state: there ? 'there' : 'new',
    id: there?.id ?? null,
    inside: tree,
    sealed: there?.sealed != null,
    nodes: [],
  };
  if (!there) await create?.([top], [null]);
  const made = there ? [] : [top];
  let taken = 0;
  for (let level = [top]; level.length > 0;) {
    const known = await childrenOf(db, actor, level);
    const created: FolderNode[] = [];
    const parents: (number | null)[] = [];
    for (const parent of level)
      for (const { name, folders } of parent.inside) {
        const found = parent.id === null ? undefined : known.get(`${parent.id}/${nameKey(name)}`);
        const folder = found?.type === 'folder' && found.seen === 1;
        const state = folder ? 'there' : found ? 'taken' : parent.sealed ? 'sealed' : 'new';
        const node: FolderNode = {
          name: found?.seen ? found.name : name,
          depth: parent.depth + 1,
          state,
          id: found?.id ?? null,
          inside: folders,
          sealed: found?.sealed != null,
          nodes: [],
        };
        parent.nodes.push(node);
        if (state === 'taken' || state === 'sealed') taken += 1 + countOf(folders);
        if (state !== 'new') continue;
        created.push(node);
        parents.push(parent.id);
      }
    if (created.length > 0) await create?.(created, parents);
    made.push(...created);
    level = level.flatMap(({ nodes }) => nodes).filter(({ state }) => state === 'new' || state === 'there');
  }
  const folders = flat(top);
  const lastOf = (node: FolderNode): FolderNode =>
    node.nodes.length > 0 ? lastOf(node.nodes.at(-1)!) : node;
  const { id: last } = lastOf(top);
  const count = (wanted: FolderState['state']) => folders.filter(({ state }) => state === wanted).length;
  const path = there?.parent_id ? (await paths(db, actor, [there.parent_id])).get(there.parent_id) : '';
  return {
    path: path ?? '',
    created: count('new'),
    existing: count('there'),
    taken,
    last,
    made: made.flatMap(({ id }) => id ?? []),
    folders,
  };
}

const flat = ({ name, depth, state, nodes }: FolderNode): FolderState[] => [
  { name, depth, state },
  ...nodes.flatMap(flat),
];

/** Creates trees of folders for clients. Existing folders are used and not changed. */
export function createFolderMerging({ db, clock }: Pick<ChangeDependencies, 'db' | 'clock'>) {
  const insert =
    (trx: Knex.Transaction, actor: Actor, client: Client) =>
    async (nodes: readonly FolderNode[], parents: readonly (number | null)[]): Promise<void> => {
      const now = clock().toISOString();
      const rows = nodes.map(({ name }, index) => ({
        firm_id: actor.firmId,
        owner_id: actor.userId,
        client_id: client.id,
        parent_id: parents[index] ?? null,
        type: 'folder',
        name,
        name_key: nameKey(name),
        sort_key: sortKey(name),
        created_at: now,
        modified_at: now,
      }));
      const created: { id: number; parent_id: number | null; name: string }[] = await trx('item_rows')
        .insert(rows)
        .returning(['id', 'parent_id', 'name']);
      const ids = new Map(created.map(({ id, parent_id, name }) => [`${parent_id}/${name}`, id]));
      for (const [index, node] of nodes.entries())
        node.id = ids.get(`${parents[index] ?? null}/${node.name}`) ?? null;
      await searchIndex.addAll(
        trx,
        created.map(({ id, name }) => ({ id, grams: searchIndex.gramsOf(actor.firmId, name) })),
      );
    };

  return {
    /**
     * Creates a tree of folders in a client's folder, all linked to the client, in one transaction. Existing folders are
     * used; where a file has the name, that folder and its subfolders are left out. `settle` runs in the same
     * transaction. Names must be valid, and unique within each folder.
     * @throws {AppError} 403; 404 if the client does not exist.
     */
    mergeFolders(
      actor: Actor,
      client: Client,
      tree: readonly FolderTree[],
      settle: (trx: Knex.Transaction, merged: MergeResult) => Promise<void>,
    ): Promise<MergeResult> {
      requirePermission(actor, 'documents.write');
      return db.transaction(async (trx) => {
        const clientRow = { id: client.id, firm_id: actor.firmId };
        if (!(await only(trx('clients').where(clientRow), isVisibleClient(actor)).first('id')))
          throw notFound('client');
        const merged = await merge(trx, actor, client, tree, insert(trx, actor, client));
        await settle(trx, merged);
        return merged;
      });
    },

    /** What `mergeFolders` would do. @throws {AppError} 403. */
    async previewFolders(actor: Actor, client: Client, tree: readonly FolderTree[]): Promise<MergeResult> {
      requirePermission(actor, 'documents.write');
      return merge(db, actor, client, tree, null);
    },
  };
}
