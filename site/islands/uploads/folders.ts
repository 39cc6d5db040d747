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
  const made = new Map<string, Promise<number>>();

  async function makeOrFind(name: string, parentId: number | null): Promise<number> {
    try {
      return (await create(name, parentId)).id;
    } catch (error) {
      if ((error as { status?: number }).status !== 422) throw error;
      const same = (item: ItemView) => item.type === 'folder' && fold(item.name) === fold(name);
      const there = (await list(parentId)).items.find(same);
      if (!there) throw error;
      return there.id;
    }
  }

  /** The id of the folder at `path` below `parentId`, created if needed. */
  return async function place(parentId: number | null, path: readonly string[]): Promise<number | null> {
    let at = parentId;
    for (const name of path) {
      const above = at;
      const key = `${above ?? ''}/${fold(name)}`;
      const making = made.get(key) ?? makeOrFind(name, above);
      made.set(key, making);
      // A failure is not cached, since the next try may succeed.
      making.catch(() => made.delete(key));
      at = await making;
    }
    return at;
  };
}

const fold = (name: string): string => name.normalize('NFC').trim().toLowerCase();
