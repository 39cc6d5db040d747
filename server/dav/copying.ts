import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { forbidden } from '#server/http/errors.ts';
import type { StoredBlob } from '#storage/blobs.ts';
import type { DavDependencies } from './dependencies.ts';
import { openDownload } from './download.ts';
import { bytesOfScratch } from './scratch-files.ts';
import type { Entry, ResolvedPath } from './tree.ts';
import type { Saving } from './write.ts';
import { checkFileName, checkTemporary, saveAt } from './write.ts';

/** How many items one request may copy. */
const MAX_COPIED_ITEMS = 5000;

/** What is copied or moved. */
export type Transferred = Pick<Entry, 'id' | 'type' | 'file_size' | 'original_at' | 'scratch'>;

/**
 * A copy of a file's bytes, under a key of its own. A copy of a document that becomes a scratch file is a download:
 * programs read scratch files as often as they like, and nobody counts that.
 * @throws {AppError} 404, 403 for quarantined bytes or `look_only`, 429, 400 for a document that was moved aside.
 */
async function copyBytes(
  dependencies: DavDependencies,
  actor: Actor,
  entry: Transferred,
  to: 'document' | 'scratch',
): Promise<StoredBlob> {
  const { documents, blobs } = dependencies;
  if (entry.scratch) return blobs.put(await blobs.get(bytesOfScratch(entry.scratch).id));
  const file =
    to === 'scratch'
      ? await openDownload(dependencies, actor, entry.id!, { counted: true })
      : await documents.openFile(actor, entry.id!);
  return blobs.put(await blobs.get(file.blob_id));
}

/** Copies a file, to a document or a temporary file. @returns the document's id; null for a temporary file. */
export async function copyFile(
  dependencies: DavDependencies,
  actor: Actor,
  from: Transferred,
  target: ResolvedPath,
  saving: Saving = {},
): Promise<number | null> {
  const { deadProperties } = dependencies;
  const source = from.id ?? from.scratch?.source;
  if (dependencies.scratch.isScratch(target.name)) {
    checkTemporary(target, from.file_size);
    const blob = await copyBytes(dependencies, actor, from, 'scratch');
    await dependencies.scratch.put(actor, target.folder ?? null, target.name, {
      blob,
      ...(source !== undefined && { source }),
    });
    return null;
  }
  checkFileName(target.name);
  const bytes = from.file_size ?? 0;
  await dependencies.documents.checkUpload(actor, {
    parent_id: target.folder ?? null,
    client_id: null,
    bytes,
  });
  const blob = await copyBytes(dependencies, actor, from, 'document');
  const onto = target.entry?.id ?? null;
  // Onto a document with properties of its own they may be too many, and then nothing is to be copied.
  const first = async (trx: Knex.Transaction) => {
    await saving.first?.(trx);
    if (from.id !== null && onto !== null) await deadProperties.copyWithin(trx, from.id, onto);
  };
  const id = await saveAt(dependencies, actor, target, blob, from.original_at, {
    ...saving,
    ...(onto === null ? {} : { first }),
    source,
  });
  if (from.id !== null && onto === null) await deadProperties.copy(from.id, id);
  return id;
}

/** A file or folder to be copied, with what it holds. */
interface Planned {
  entry: Entry;
  contents: readonly Planned[];
}

/**
 * What is copied of a folder, listed before any of it is copied, so that what cannot be copied is refused at once.
 * @throws {AppError} 403 for too many items; 409 for a quarantined file; 422 `quota_exceeded`.
 */
async function planOf(
  dependencies: DavDependencies,
  actor: Actor,
  top: Entry,
  { folder, deep }: { folder: number | null; deep: boolean },
): Promise<Planned> {
  if (!deep) return { entry: top, contents: [] };
  const { tree, documents } = dependencies;
  let [items, bytes] = [0, 0];
  async function list(entry: Entry): Promise<Planned> {
    const contents: Planned[] = [];
    if (entry.type === 'folder')
      for (const child of await tree.list(actor, entry.id)) {
        if (child.scratch) continue;
        items += 1;
        bytes += child.file_size ?? 0;
        if (items > MAX_COPIED_ITEMS)
          throw forbidden(`A folder of more than ${MAX_COPIED_ITEMS} items cannot be copied in one go.`);
        if (child.type === 'file') await documents.openFile(actor, child.id!);
        contents.push(await list(child));
      }
    return { entry, contents };
  }
  const plan = await list(top);
  await documents.checkUpload(actor, { parent_id: folder, client_id: null, bytes });
  return plan;
}

/** Copies the contents of a folder into another one, and notes the ids of what it adds in `added`. */
async function copyContents(
  dependencies: DavDependencies,
  actor: Actor,
  { entry: from, contents }: Planned,
  into: number,
  added: Set<number>,
): Promise<void> {
  const { documents, deadProperties } = dependencies;
  await deadProperties.copy(from.id!, into);
  for (const planned of contents) {
    const { entry } = planned;
    const { name, type } = entry;
    if (type === 'folder') {
      const { id } = await documents.createFolder(actor, { name, parent_id: into, client_id: null });
      added.add(id);
      await copyContents(dependencies, actor, planned, id, added);
    } else {
      const id = await copyFile(dependencies, actor, entry, {
        names: [name],
        name,
        folder: into,
        entry: null,
      });
      if (id !== null) added.add(id);
    }
  }
}

/** Fills a new folder with a copy, and deletes it when that fails. @param end completes the copy. */
async function copyInto(
  dependencies: DavDependencies,
  actor: Actor,
  planned: Planned,
  id: number,
  end: () => Promise<void> = async () => {},
): Promise<void> {
  const added = new Set([id]);
  try {
    await copyContents(dependencies, actor, planned, id, added);
    await end();
  } catch (error) {
    await dependencies.documents.undoAdded(actor, id, added);
    throw error;
  }
}

/** Copies a folder to where nothing is, all or nothing. */
export async function copyFolder(
  dependencies: DavDependencies,
  actor: Actor,
  from: Entry,
  { folder, name, deep }: { folder: number | null; name: string; deep: boolean },
): Promise<void> {
  const plan = await planOf(dependencies, actor, from, { folder, deep });
  const { id } = await dependencies.documents.createFolder(actor, {
    name,
    parent_id: folder,
    client_id: null,
  });
  await copyInto(dependencies, actor, plan, id);
}

/** Copies a folder in place of an existing item, which is deleted when the copy is complete, and not before. */
export async function copyFolderOver(
  dependencies: DavDependencies,
  actor: Actor,
  from: Entry,
  { folder, name, replaced, deep }: { folder: number | null; name: string; replaced: number; deep: boolean },
): Promise<void> {
  const { documents } = dependencies;
  const plan = await planOf(dependencies, actor, from, { folder, deep });
  // Its name gets a number until the existing item is gone.
  const { id } = await documents.addFolder(actor, { name, parent_id: folder, client_id: null });
  await copyInto(dependencies, actor, plan, id, () =>
    documents.relocate(actor, { id, parent_id: folder, name, replaced }),
  );
}
