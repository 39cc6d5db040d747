import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { forbidden } from '#server/http/errors.ts';
import { extensionOf } from '#server/text/extension.ts';
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
    if (from.id !== null && onto !== null) await deadProperties.copyWithin(trx, new Map([[from.id, onto]]));
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

/** The folders and files of a plan, as a tree to be added; `entries` are their sources. */
function treeOf(planned: Planned) {
  const folders: { entry: Entry; name: string; parent: number }[] = [];
  const files: { entry: Entry; name: string; folder: number }[] = [];
  function add({ contents }: Planned, into: number): void {
    for (const child of contents) {
      const { entry } = child;
      const { name } = entry;
      if (entry.type === 'file') files.push({ entry, name, folder: into });
      else add(child, folders.push({ entry, name, parent: into }) - 1);
    }
  }
  add(planned, -1);
  return { folders, files };
}

/**
 * Copies a folder, all or nothing: to where nothing is, or in place of the item `replaced`, which is deleted when the copy is complete.
 * Nothing of it is seen before.
 */
export async function copyFolder(
  dependencies: DavDependencies,
  actor: Actor,
  from: Entry,
  {
    folder,
    name,
    replaced,
    deep,
  }: { folder: number | null; name: string; replaced: number | null; deep: boolean },
): Promise<void> {
  const { documents, uploads, deadProperties } = dependencies;
  const plan = await planOf(dependencies, actor, from, { folder, deep });
  const { folders, files } = treeOf(plan);
  const blobs: StoredBlob[] = [];
  await uploads.saveTogether(blobs, async () => {
    for (const { entry, name } of files) {
      const blob = await copyBytes(dependencies, actor, entry, 'document');
      blobs.push(await uploads.saveScanned(actor, blob, name, async () => blob));
    }
    const tree = {
      name,
      folders,
      files: files.map(({ entry, ...file }, index) => ({
        ...file,
        type: extensionOf(file.name),
        blob: blobs[index]!,
        original_at: entry.original_at,
      })),
    };
    await documents.addCopy(actor, { parent_id: folder, replaced }, tree, (trx, copy) =>
      deadProperties.copyWithin(
        trx,
        new Map([
          [from.id!, copy.id],
          ...folders.map(({ entry }, index) => [entry.id!, copy.folders[index]!] as const),
          ...files.map(({ entry }, index) => [entry.id!, copy.files[index]!] as const),
        ]),
      ),
    );
  });
}
