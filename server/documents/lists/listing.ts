import type { Actor } from '#server/actor.ts';
import type { LinkingDependencies } from '../changes/set-client.ts';
import type {
  Activity,
  Breadcrumb,
  FilesPage,
  FilesQuery,
  FolderListing,
  FolderQuery,
  ItemView,
  RecentView,
} from '../contract.ts';
import type { Child } from './contract.ts';
import { childNamed, childrenOf, contentIn, contentMade } from './children.ts';
import type { ClientFolder } from './client-folders.ts';
import { foldersOfClients } from './client-folders.ts';
import { listFiles } from './files.ts';
import type { SearchDependencies } from './folder.ts';
import { listFolder } from './folder.ts';
import { goneError } from '../changes/concurrent-edits.ts';
import { sealsOfClient } from '../seals/guard.ts';
import { requirePermission, findItem } from '../rows.ts';
import { activityOf, untouched } from './recents.ts';
import { sees } from './sees.ts';
import { lineages, paths } from '../tree.ts';
import { UNRESTRICTED } from '#server/visibility/visible.ts';
import * as usage from '../../records/usage.ts';
import { recentOf, viewOf, viewsOf } from '../views.ts';
import { isInDrive } from '../versions/rows.ts';
import { countFiles, traverseAll, traverseClient, traverseItems } from './traversal.ts';

/** Reads the drive: items, folders, and all lists and counts. */
export function createListing(dependencies: LinkingDependencies & { searches: SearchDependencies }) {
  const { db, searches } = dependencies;
  return {
    /**
     * Items and breadcrumbs of a folder; null for 'My Drive'.
     * @throws {AppError} 404 for an unknown folder; 422 for a cursor of another list.
     */
    folder: (actor: Actor, id: number | null, query?: FolderQuery): Promise<FolderListing> =>
      listFolder({ db, searches }, actor, id, query),

    /** @throws {AppError} 404, 403. */
    async item(actor: Actor, id: number): Promise<ItemView> {
      const item = await findItem(db, actor, id, 'documents.read').catch(async (error: unknown) => {
        throw await goneError(dependencies, db, actor, error, id);
      });
      const view = await viewOf(db, actor, item.id);
      return {
        ...view,
        path: (await paths(db, actor, [item.seen_parent_id])).get(item.seen_parent_id ?? 0) ?? '',
      };
    },

    /** See `isInDrive`; it asks for nobody's permission, since it tells nobody. */
    isInDrive,

    /** Views of visible items in the order of the ids, each with its path; missing items are left out. */
    views: (actor: Actor, ids: readonly number[]): Promise<ItemView[]> => viewsOf(db, actor, ids),

    /** See `foldersOfClients`. @throws {AppError} 403. */
    foldersOfClients: (actor: Actor, clients: Iterable<number>): Promise<ClientFolder[]> =>
      foldersOfClients(db, actor, clients),

    /** All files of the firm in one list. @throws {AppError} 403, 422 for a cursor of another list. */
    files: (actor: Actor, query: FilesQuery): Promise<FilesPage> =>
      listFiles(
        { db, parseSearch: searches.parseSearch, views: (who, ids) => viewsOf(db, who, ids) },
        actor,
        query,
      ),

    /** All possible owners of files, by name. @throws {AppError} 403. */
    async owners(actor: Actor): Promise<{ value: number; label: string }[]> {
      requirePermission(actor, 'documents.read');
      return db('users')
        .where('firm_id', actor.firmId)
        .orderBy('name')
        .select('id as value', 'name as label');
    },

    /** The items that the actor opened or changed last, newest first. @throws {AppError} 403. */
    recent: (actor: Actor, limit: number): Promise<RecentView[]> => recentOf(db, actor, limit),

    /** The items of a client that users of the firm opened or changed last, newest first. @throws {AppError} 403. */
    async activityOf(actor: Actor, clientId: number, limit: number): Promise<Activity[]> {
      requirePermission(actor, 'documents.read');
      return activityOf(db, actor, clientId, limit);
    },

    /**
     * The files that were changed longest ago and that nobody has opened since.
     * @param since ISO 8601.
     * @throws {AppError} 403.
     */
    async untouched(actor: Actor, since: string, limit: number): Promise<ItemView[]> {
      requirePermission(actor, 'documents.read');
      return viewsOf(db, actor, await untouched(db, actor, since, limit));
    },

    /** See `childrenOf`. @throws {AppError} 403. */
    children: (actor: Actor, folderId: number | null): Promise<Child[]> => childrenOf(db, actor, folderId),

    /** See `childNamed`. @throws {AppError} 403. */
    childNamed: (actor: Actor, folderId: number | null, name: string): Promise<Child | null> =>
      childNamed(db, actor, folderId, name),

    /** See `contentIn`. @throws {AppError} 403. */
    contentMade: (actor: Actor, content: Parameters<typeof contentMade>[2]) =>
      contentMade(db, actor, content),
    contentIn: (actor: Actor, folderId: number | null, content: { sha256: string; size: number }) =>
      contentIn(db, actor, folderId, content),

    /** Name and type of an item. @throws {AppError} 404, 403. */
    async brief(actor: Actor, id: number): Promise<Pick<ItemView, 'name' | 'type'>> {
      const { name, type } = await findItem(db, actor, id, 'documents.read');
      return { name, type };
    },

    /** See `sees`. */
    sees: (actor: Actor, id: number): Promise<boolean> => sees(db, actor, id),

    /**
     * The visible path from the root to each item, the item last; nothing for invisible items.
     * @throws {AppError} 403.
     */
    async lineage(actor: Actor, ids: readonly number[]): Promise<Map<number, Breadcrumb[]>> {
      requirePermission(actor, 'documents.read');
      return lineages(db, actor, ids);
    },

    /** Like `lineage`, without a visibility check: to test whether one item is inside another. */
    wayTo: (firmId: number, ids: readonly number[]): Promise<Map<number, Breadcrumb[]>> =>
      lineages(db, { ...UNRESTRICTED, firmId }, ids),

    countFiles,

    walk: (actor: Actor, ids: readonly number[]) => traverseItems(db, actor, ids),

    /** Like `walk`, for everything that the actor sees. */
    walkAll: (actor: Actor) => traverseAll(db, actor),

    traverseClient: (actor: Actor, clientId: number) => traverseClient(db, actor, clientId),

    /** Number and bytes of the files that the actor sees. */
    total: (actor: Actor) => usage.total(db, actor),

    /** The visible seals on a client's items, each once. */
    sealedOf: sealsOfClient,

    /** Totals of the visible files by type, largest first. */
    totals: (actor: Actor) => usage.totals(db, actor),
  };
}
