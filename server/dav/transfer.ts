import type { Knex } from 'knex';
import type { Context } from 'koa';
import type { Actor } from '#server/actor.ts';
import { AppError, badRequest, conflict, forbidden, notFound } from '#server/http/errors.ts';
import type { StoredBlob } from '#storage/blobs.ts';
import { checkPreconditions } from './conditions.ts';
import type { DavDependencies, Method } from './dependencies.ts';
import { openDownload } from './download.ts';
import { namesInAddress } from './paths.ts';
import { bytesOfScratch } from './scratch-files.ts';
import type { Entry, ResolvedPath } from './tree.ts';
import type { Saving } from './write.ts';
import {
  checkFileName,
  checkOverwrite,
  checkTemporary,
  requireWrite,
  discard,
  parentMissing,
  saveAt,
} from './write.ts';

const INTO_ITSELF = 'A folder cannot be copied or moved into itself.';
const SAVED_MEANWHILE =
  'This document was saved after the program had moved it aside. What it held before is among its versions.';
/** How many items one request may copy. */
const MAX_COPIED_ITEMS = 5000;

interface Transfer {
  source: ResolvedPath & { entry: Entry };
  target: ResolvedPath;
  /** The tokens of locks that the program sent. */
  tokens: ReadonlySet<string>;
}

/** What is copied or moved. */
type Transferred = Pick<Entry, 'id' | 'type' | 'file_size' | 'original_at' | 'scratch'>;

/**
 * Resolves source and target, and checks whatever stands in the way.
 * @throws {AppError} 400, 403, 404, 409, 412, 423, 502.
 */
async function resolveTransfer(dependencies: DavDependencies, ctx: Context, actor: Actor): Promise<Transfer> {
  const { tree, locks, hosts } = dependencies;
  const source = await tree.find(actor, ctx.state.names as string[]);
  if (!source.entry) throw notFound('file');
  const address = ctx.get('Destination');
  if (!address) throw badRequest('The request does not say where to (Destination).');
  const names = namesInAddress(address, hosts(ctx));
  if (!names)
    throw new AppError(502, 'other_server', 'Files can be moved and copied within this drive only.');
  const target = await tree.find(actor, names);
  if (source.names.length === 0 || names.length === 0)
    throw forbidden('The drive itself cannot be moved, copied or replaced.');
  const isPrefix = source.names.every((name, index) => name.toLowerCase() === names[index]?.toLowerCase());
  if (isPrefix && names.length > source.names.length) throw forbidden(INTO_ITSELF);
  if (source.names.join('/') === names.join('/')) throw forbidden('It is there already.');
  if (target.folder === undefined) throw parentMissing();
  requireWrite(actor);
  const tokens = await checkPreconditions(dependencies, ctx, actor, source);
  const self = target.entry?.id != null && target.entry.id === source.entry.id;
  if (!self) checkOverwrite(ctx, target.entry);
  const targetId = target.entry?.id;
  if (targetId != null && source.folder !== undefined && source.names.length > names.length) {
    const above = names.every((name, index) => name.toLowerCase() === source.names[index]?.toLowerCase());
    if (above) throw forbidden('A folder cannot be replaced by what lies in it.');
  }
  const moves = ctx.method === 'MOVE' && !source.entry.scratch;
  await locks.requireTokens(actor, tokens, {
    items: [...(targetId == null ? [] : [targetId]), ...(moves ? [source.entry.id!] : [])],
    below: true,
    folders: [
      ...(targetId == null ? [target.folder] : []),
      ...(moves && source.folder !== undefined ? [source.folder] : []),
    ],
  });
  return { source: { ...source, entry: source.entry }, target, tokens };
}

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

async function copyFile(
  dependencies: DavDependencies,
  actor: Actor,
  from: Transferred,
  target: ResolvedPath,
  saving: Saving = {},
): Promise<void> {
  const source = from.id ?? from.scratch?.source;
  if (dependencies.scratch.isScratch(target.name)) {
    checkTemporary(target, from.file_size);
    const blob = await copyBytes(dependencies, actor, from, 'scratch');
    return dependencies.scratch.put(actor, target.folder ?? null, target.name, {
      blob,
      ...(source !== undefined && { source }),
    });
  }
  checkFileName(target.name);
  const bytes = from.file_size ?? 0;
  await dependencies.documents.checkUpload(actor, {
    parent_id: target.folder ?? null,
    client_id: null,
    bytes,
  });
  const blob = await copyBytes(dependencies, actor, from, 'document');
  const id = await saveAt(dependencies, actor, target, blob, from.original_at, { ...saving, source });
  if (from.id !== null) await dependencies.deadProperties.copy(from.id, id);
  return undefined;
}

async function copyFolder(
  dependencies: DavDependencies,
  actor: Actor,
  from: Entry,
  target: { folder: number | null; name: string },
  { deep, left }: { deep: boolean; left: { items: number } },
): Promise<void> {
  const made = await dependencies.documents.createFolder(actor, {
    name: target.name,
    parent_id: target.folder,
    client_id: null,
  });
  return copyContents(dependencies, actor, from, made.id, { deep, left });
}

async function copyContents(
  dependencies: DavDependencies,
  actor: Actor,
  from: Entry,
  into: number,
  { deep, left }: { deep: boolean; left: { items: number } },
): Promise<void> {
  const { tree, deadProperties } = dependencies;
  await deadProperties.copy(from.id!, into);
  if (!deep) return;
  for (const entry of await tree.list(actor, from.id)) {
    if (entry.scratch) continue;
    left.items -= 1;
    if (left.items < 0)
      throw forbidden(`A folder of more than ${MAX_COPIED_ITEMS} items cannot be copied in one go.`);
    const { name } = entry;
    if (entry.type === 'folder')
      await copyFolder(dependencies, actor, entry, { folder: into, name }, { deep, left });
    else await copyFile(dependencies, actor, entry, { names: [name], name, folder: into, entry: null });
  }
}

/** Copies a folder in place of an existing item, which is deleted when the copy is complete, and not before. */
async function copyFolderOver(
  dependencies: DavDependencies,
  actor: Actor,
  from: Entry,
  { folder, name, replaced }: { folder: number | null; name: string; replaced: number },
  options: { deep: boolean; left: { items: number } },
): Promise<void> {
  const { documents } = dependencies;
  // Its name gets a number until the existing item is gone.
  const { id } = await documents.addFolder(actor, { name, parent_id: folder, client_id: null });
  try {
    await copyContents(dependencies, actor, from, id, options);
    await documents.relocate(actor, { id, parent_id: folder, name, replaced });
  } catch (error) {
    await documents.remove(actor, [id]);
    throw error;
  }
}

/** COPY: onto a file it adds a version; an existing folder is replaced, and goes to Trash. */
export const copy =
  (dependencies: DavDependencies): Method =>
  async (ctx, actor) => {
    const { documents, locks, scratch } = dependencies;
    const { source, target } = await resolveTransfer(dependencies, ctx, actor);
    const { entry } = source;
    ctx.status = target.entry ? 204 : 201;
    const place = { folder: target.folder ?? null, name: target.name };
    const options = { deep: ctx.get('Depth') !== '0', left: { items: MAX_COPIED_ITEMS } };
    const replaced = target.entry?.id ?? null;
    if (replaced === null || (entry.type === 'file' && target.entry?.type === 'file')) {
      if (entry.type === 'file') return copyFile(dependencies, actor, entry, target);
      return copyFolder(dependencies, actor, entry, place, options);
    }
    const before = await locks.live(actor);
    if (entry.type === 'folder')
      await copyFolderOver(dependencies, actor, entry, { ...place, replaced }, options);
    else {
      const first = (trx: Knex.Transaction) => documents.removeWithin(trx, actor, replaced);
      await copyFile(dependencies, actor, entry, { ...target, entry: null }, { first });
      // A temporary file is no document, and saved by itself.
      if (scratch.isScratch(target.name)) await documents.remove(actor, [replaced]);
    }
    return locks.forget(actor, before, replaced);
  };

/** Moves a document or folder. Onto an existing file its content becomes that file's next version. */
async function moveItem(
  dependencies: DavDependencies,
  actor: Actor,
  item: Transferred & { id: number },
  target: ResolvedPath,
): Promise<void> {
  const { documents, locks } = dependencies;
  const existing = target.entry?.id === item.id ? null : target.entry;
  const before = await locks.live(actor);
  if (existing?.id != null && item.type === 'file' && existing.type === 'file') {
    await copyFile(dependencies, actor, item, target);
    return discard(dependencies, actor, item);
  }
  const replaced = existing?.id ?? null;
  const place = { parent_id: target.folder ?? null, name: target.name };
  await documents.relocate(actor, { id: item.id, ...place, replaced });
  if (replaced !== null) await locks.forget(actor, before, replaced);
  return locks.forget(actor, before, item.id);
}

/**
 * Ends the move of a document that its program has moved aside, which still has its name. To there nothing needs to
 * move, and to elsewhere the document itself is moved.
 * @throws {AppError} 404; 409 for a document that was saved meanwhile; 423; whatever stands in the way of a move.
 */
async function moveAside(
  dependencies: DavDependencies,
  actor: Actor,
  { source, target, tokens }: Transfer,
  id: number,
): Promise<void> {
  const { documents, locks, scratch, tree } = dependencies;
  const file = source.entry.scratch!;
  const folder = target.folder ?? null;
  const there = await tree.documentAt(actor, folder, target.name);
  if (there?.id === id && there.name === target.name) {
    if (!(await scratch.release(actor, file))) throw notFound('file');
    return;
  }
  const item = await documents.item(actor, id);
  // The program means the earlier content, and would take the new one away from its place.
  if (item.modified_at > file.at) throw conflict(SAVED_MEANWHILE);
  await locks.requireTokens(actor, tokens, { items: [id], below: true, folders: [item.parent_id] });
  await moveItem(dependencies, actor, item, target);
  await scratch.release(actor, file);
}

/** Moves a scratch file: to another scratch name, or to become a document. */
async function moveScratch(dependencies: DavDependencies, actor: Actor, transfer: Transfer): Promise<void> {
  const { documents, locks, scratch } = dependencies;
  const { source, target } = transfer;
  const file = source.entry.scratch!;
  const { blob, aside, source: original } = file;
  if (scratch.isScratch(target.name)) {
    const moved = {
      blob,
      ...(aside !== undefined && { aside }),
      ...(original !== undefined && { source: original }),
    };
    return scratch.put(actor, target.folder ?? null, target.name, moved, file);
  }
  if (aside !== undefined) return moveAside(dependencies, actor, transfer, aside);
  checkFileName(target.name);
  const replaced = target.entry?.type === 'folder' ? target.entry.id : null;
  const before = replaced === null ? [] : await locks.live(actor);
  // Of two moves of the file at once one succeeds; one that is refused leaves the file where it was.
  const first = async (trx: Knex.Transaction) => {
    await scratch.claim(trx, actor, file);
    if (replaced !== null) await documents.removeWithin(trx, actor, replaced);
  };
  const to = replaced === null ? target : { ...target, entry: null };
  await saveAt(dependencies, actor, to, blob as StoredBlob, null, { first, kept: true, source: original });
  if (replaced !== null) await locks.forget(actor, before, replaced);
  return undefined;
}

/**
 * MOVE: renames or relocates an item. Onto an existing file the content becomes its next version, so that links
 * and history stay, and the moved file goes to Trash, as does a replaced folder.
 */
export const move =
  (dependencies: DavDependencies): Method =>
  async (ctx, actor) => {
    const { scratch } = dependencies;
    const transfer = await resolveTransfer(dependencies, ctx, actor);
    const { source, target } = transfer;
    const { entry } = source;
    const existing = target.entry?.id === entry.id && entry.id !== null ? null : target.entry;
    ctx.status = existing ? 204 : 201;
    if (entry.scratch) return moveScratch(dependencies, actor, transfer);
    if (entry.type === 'file' && scratch.isScratch(target.name)) {
      // A common way to save: move the document aside, move the new one into its place, delete the old one.
      return scratch.put(actor, target.folder ?? null, target.name, { blob: null, aside: entry.id! });
    }
    return moveItem(dependencies, actor, { ...entry, id: entry.id! }, target);
  };
