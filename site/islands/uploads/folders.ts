import type { FolderListing, ItemView } from '#server/documents/contract.ts';

interface Deps {
  /** Rejects with `status` 422 if the name is taken. */
  create: (name: string, parentId: number | null) => Promise<ItemView>;
  list: (parentId: number | null) => Promise<FolderListing>;
}

/**
 * Creates the folders of an uploaded tree, each once even if several files need it at the same time. An existing folder
 * is used, so that the tree is merged into it.
 */
export function createFolders({ create, list }: Deps) {
  const folderIds = new Map<string, Promise<number>>();

  async function createOrFind(name: string, parentId: number | null): Promise<number> {
    try {
      return (await create(name, parentId)).id;
    } catch (error) {
      if ((error as { status?: number }).status !== 422) throw error;
      const isSameFolder = (item: ItemView) => item.type === 'folder' && fold(item.name) === fold(name);
      const existing = (await list(parentId)).items.find(isSameFolder);
      if (!existing) throw error;
      return existing.id;
    }
  }

  /** The id of the folder at `path` below `parentId`, created if needed. */
  return async function place(parentId: number | null, path: readonly string[]): Promise<number | null> {
    let folderId = parentId;
    for (const name of path) {
      const key = `${folderId ?? ''}/${fold(name)}`;
      const creating = folderIds.get(key) ?? createOrFind(name, folderId);
      folderIds.set(key, creating);
      // A failure is not cached, since the next try may succeed.
      creating.catch(() => folderIds.delete(key));
      folderId = await creating;
    }
    return folderId;
  };
}

const fold = (name: string): string => name.normalize('NFC').trim().toLowerCase();
