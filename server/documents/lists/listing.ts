import type { Actor } from '#server/actor.ts';
import type { Filing } from '../changes/set-client.ts';
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
import { childNamed, childrenOf, contentIn } from './children.ts';
import type { ClientFolder } from './client-folders.ts';
import { foldersOfClients } from './client-folders.ts';
import { listFiles } from './files.ts';
import type { Searches } from './folder.ts';
import { listFolder } from './folder.ts';
import { goneError } from '../changes/concurrent-edits.ts';
import { sealsOfClient } from '../seals/guard.ts';
import { demand, findItem } from '../rows.ts';
import { activityOf, untouched } from './recents.ts';
import { lineages, paths } from '../tree.ts';
import { WHOLE } from '#server/visibility/visible.ts';
import * as usage from '../../records/usage.ts';
import { recentOf, viewOf, viewsOf } from '../views.ts';
import { countFiles, traverseAll, traverseClient, traverseItems } from './traversal.ts';

/** What can be seen of the drive: one item, a folder, and every list and count. */
export function createListing(parts: Filing & { searches: Searches }) {
  const { db, searches } = parts;
  return {
    /**
     * A folder's items and the way to it; null is 'My Drive'.
     * @throws {AppError} 404 when it is not a folder of the firm; 422 for a cursor that belongs to another list.
     */
    folder: (actor: Actor, id: number | null, query?: FolderQuery): Promise<FolderListing> =>
      listFolder({ db, searches }, actor, id, query),

    /** @throws {AppError} 404, 403. */
    async item(actor: Actor, id: number): Promise<ItemView> {
      const item = await findItem(db, actor, id, 'documents.read').catch(async (error: unknown) => {
        throw await goneError(parts, db, actor, error, id);
      });
      const view = await viewOf(db, actor, item.id);
      return {
        ...view,
        path: (await paths(db, actor, [item.seen_parent_id])).get(item.seen_parent_id ?? 0) ?? '',
      };
    },

    /** Views of the firm's items in the order of the ids, each with its path; what is not there is left out. */
    views: (actor: Actor, ids: readonly number[]): Promise<ItemView[]> => viewsOf(db, actor, ids),

    /** See there. @throws {AppError} 403. */
    foldersOfClients: (actor: Actor, clients: Iterable<number>): Promise<ClientFolder[]> =>
      foldersOfClients(db, actor, clients),

    /** All files of the firm in one list. @throws {AppError} 403, 422 for a cursor that is not of this list. */
    files: (actor: Actor, query: FilesQuery): Promise<FilesPage> =>
      listFiles(
        { db, narrowingOf: searches.narrowingOf, views: (who, ids) => viewsOf(db, who, ids) },
        actor,
        query,
      ),

    /** Everybody who can own a file of the firm, by name. @throws {AppError} 403. */
    async owners(actor: Actor): Promise<{ value: number; label: string }[]> {
      demand(actor, 'documents.read');
      return db('users')
        .where('firm_id', actor.firmId)
        .orderBy('name')
        .select('id as value', 'name as label');
    },

    /** What the actor opened or changed last, the latest first. @throws {AppError} 403. */
    recent: (actor: Actor, limit: number): Promise<RecentView[]> => recentOf(db, actor, limit),

    /** Which of a client's items somebody of the firm opened or changed last, the latest first. @throws {AppError} 403. */
    async activityOf(actor: Actor, clientId: number, limit: number): Promise<Activity[]> {
      demand(actor, 'documents.read');
      return activityOf(db, actor, clientId, limit);
    },

    /** The files changed longest ago, of those that nobody has opened since; times in ISO 8601. @throws {AppError} 403. */
    async untouched(actor: Actor, since: string, limit: number): Promise<ItemView[]> {
      demand(actor, 'documents.read');
      return viewsOf(db, actor, await untouched(db, actor, since, limit));
    },

    /** As a file system lists it. @throws {AppError} 403. */
    children: (actor: Actor, folderId: number | null): Promise<Child[]> => childrenOf(db, actor, folderId),

    /** See there. @throws {AppError} 403. */
    childNamed: (actor: Actor, folderId: number | null, name: string): Promise<Child | null> =>
      childNamed(db, actor, folderId, name),

    /** See there. @throws {AppError} 403. */
    contentIn: (actor: Actor, folderId: number | null, content: { sha256: string; size: number }) =>
      contentIn(db, actor, folderId, content),

    /** An item's name and kind alone. @throws {AppError} 404, 403. */
    async brief(actor: Actor, id: number): Promise<Pick<ItemView, 'name' | 'type'>> {
      const { name, type } = await findItem(db, actor, id, 'documents.read');
      return { name, type };
    },

    /** The way to each of these from the root as far as it is seen, itself last; of what is not seen, nothing. @throws {AppError} 403. */
    async lineage(actor: Actor, ids: readonly number[]): Promise<Map<number, Breadcrumb[]>> {
      demand(actor, 'documents.read');
      return lineages(db, actor, ids);
    },

    /** As `lineage`, also past folders that nobody in particular may see: to ask whether one thing lies in another. */
    wayTo: (firmId: number, ids: readonly number[]): Promise<Map<number, Breadcrumb[]>> =>
      lineages(db, { ...WHOLE, firmId }, ids),

    countFiles,

    walk: (actor: Actor, ids: readonly number[]) => traverseItems(db, actor, ids),

    /** As `walk`, of all that the actor sees. */
    walkAll: (actor: Actor) => traverseAll(db, actor),

    traverseClient: (actor: Actor, clientId: number) => traverseClient(db, actor, clientId),

    /** How many files the actor sees, and their bytes. */
    total: (actor: Actor) => usage.total(db, actor),

    /** What of a client's is sealed, as the actor sees it, each seal once. */
    sealedOf: sealsOfClient,

    /** Of what the actor sees, per type, the largest first. */
    totals: (actor: Actor) => usage.totals(db, actor),
  };
}
