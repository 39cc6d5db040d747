import type { FolderListing, ItemView } from '#server/documents/contract.ts';

interface Deps {
  /** Rejects with `status` 422 if the name is taken. */
  create: (name: string, parentId: number | null) => Promise<ItemView>;
  list: (parentId: number | null) => Promise<FolderListing>;
}

/**
 * Creates the folders of an uploaded tree, each once however many files need it concurrently. Existing folders are reused,
 * so that the upload is merged into them.
 */
export function createFolders({ create, list }: Deps) {
  const folderIds = new Map<string, Promise<number>>();

  async function createOrFind(name: string, parentId: number | null): Promise<number> {
    try {
      return (await create(name, parentId)).id;
    } catch (error) {
      if ((error as { status?: number }).status !== 422) throw error;
      const same = (item: ItemView) => item.type === 'folder' && fold(item.name) === fold(name);
      const existing = (await list(parentId)).items.find(same);
      if (!existing) throw error;
      return existing.id;
    }
  }

  /** The id of the folder at `path` below `parentId`, created if necessary. */
  return async function ensureFolders(
    parentId: number | null,
    path: readonly string[],
  ): Promise<number | null> {
    let at = parentId;
    for (const name of path) {
      const parent = at;
      const key = `${parent ?? ''}/${fold(name)}`;
      const pending = folderIds.get(key) ?? createOrFind(name, parent);
      folderIds.set(key, pending);
      // A failure is not cached: the next try may succeed.
      pending.catch(() => folderIds.delete(key));
      at = await pending;
    }
    return at;
  };
}

const fold = (name: string): string => name.normalize('NFC').trim().toLowerCase();
