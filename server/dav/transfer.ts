import type { Context } from 'koa';
import type { Actor } from '#server/actor.ts';
import { AppError, badRequest, forbidden, notFound } from '#server/http/errors.ts';
import type { StoredBlob } from '#storage/blobs.ts';
import { checkPreconditions } from './conditions.ts';
import type { DavDependencies, Method } from './dependencies.ts';
import { openDownload } from './download.ts';
import { namesInAddress } from './paths.ts';
import type { ScratchFile } from './scratch-files.ts';
import { bytesOfScratch } from './scratch-files.ts';
import type { Entry, ResolvedPath } from './tree.ts';
import { checkFileName, checkOverwrite, requireWrite, discard, parentMissing, saveAt } from './write.ts';

const INTO_ITSELF = 'A folder cannot be copied or moved into itself.';
/** How many items one request may copy. */
const MAX_COPIED_ITEMS = 5000;

interface Transfer {
  source: ResolvedPath & { entry: Entry };
  target: ResolvedPath;
}

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
  return { source: { ...source, entry: source.entry }, target };
}

/**
 * A copy of a file's bytes, under a key of its own. A copy of a document that becomes a scratch file is a download:
 * programs read scratch files as often as they like, and nobody counts that.
 * @throws {AppError} 404, 403 for quarantined bytes or `look_only`, 429, 400 for a document that was moved aside.
 */
async function copyBytes(
  dependencies: DavDependencies,
  actor: Actor,
  entry: Entry,
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
  from: Entry,
  target: ResolvedPath,
): Promise<void> {
  if (dependencies.scratch.isScratch(target.name)) {
    const blob = await copyBytes(dependencies, actor, from, 'scratch');
    const source = from.id ?? from.scratch?.source;
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
  const id = await saveAt(dependencies, actor, target, blob, from.original_at);
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
  const { documents, tree, deadProperties } = dependencies;
  const made = await documents.createFolder(actor, {
    name: target.name,
    parent_id: target.folder,
    client_id: null,
  });
  await deadProperties.copy(from.id!, made.id);
  if (!deep) return;
  for (const entry of await tree.list(actor, from.id)) {
    if (entry.scratch) continue;
    left.items -= 1;
    if (left.items < 0)
      throw forbidden(`A folder of more than ${MAX_COPIED_ITEMS} items cannot be copied in one go.`);
    const { name } = entry;
    if (entry.type === 'folder')
      await copyFolder(dependencies, actor, entry, { folder: made.id, name }, { deep, left });
    else await copyFile(dependencies, actor, entry, { names: [name], name, folder: made.id, entry: null });
  }
}

/** COPY: onto a file it adds a version; an existing folder is replaced, and goes to Trash. */
export const copy =
  (dependencies: DavDependencies): Method =>
  async (ctx, actor) => {
    const { source, target } = await resolveTransfer(dependencies, ctx, actor);
    const { entry } = source;
    ctx.status = target.entry ? 204 : 201;
    const replaces = target.entry?.id != null && (entry.type === 'folder' || target.entry.type === 'folder');
    if (replaces) await discard(dependencies, actor, target.entry!);
    const to = replaces ? { ...target, entry: null } : target;
    if (entry.type === 'file') return copyFile(dependencies, actor, entry, to);
    const deep = ctx.get('Depth') !== '0';
    const place = { folder: to.folder ?? null, name: to.name };
    return copyFolder(dependencies, actor, entry, place, { deep, left: { items: MAX_COPIED_ITEMS } });
  };

/**
 * Makes sure that of two concurrent moves of a scratch file only one succeeds.
 * @throws {AppError} 404
 */
async function claimScratch(
  { release }: DavDependencies['scratch'],
  actor: Actor,
  file: ScratchFile,
): Promise<void> {
  if (!(await release(actor, file))) throw notFound('file');
}

/** Moves a scratch file: to another scratch name, or to become a document. */
async function moveScratch(
  dependencies: DavDependencies,
  actor: Actor,
  { source, target }: Transfer,
): Promise<void> {
  const { scratch } = dependencies;
  const file = source.entry.scratch!;
  const { blob, aside, source: original } = file;
  if (scratch.isScratch(target.name)) {
    await claimScratch(scratch, actor, file);
    return scratch.put(actor, target.folder ?? null, target.name, {
      blob,
      ...(aside !== undefined && { aside }),
      ...(original !== undefined && { source: original }),
    });
  }
  // A document that was moved aside still has its name: just forget the scratch entry.
  if (!blob) return claimScratch(scratch, actor, file);
  checkFileName(target.name);
  if (target.entry?.type === 'folder') await discard(dependencies, actor, target.entry);
  await claimScratch(scratch, actor, file);
  await saveAt(dependencies, actor, target, blob as StoredBlob, null);
  return undefined;
}

/**
 * MOVE: renames or relocates an item. Onto an existing file the content becomes its next version, so that links
 * and history stay, and the moved file goes to Trash, as does a replaced folder.
 */
export const move =
  (dependencies: DavDependencies): Method =>
  async (ctx, actor) => {
    const { documents, locks, scratch } = dependencies;
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
    const before = await locks.live(actor);
    if (existing?.id != null && entry.type === 'file' && existing.type === 'file') {
      await copyFile(dependencies, actor, entry, target);
      return discard(dependencies, actor, entry);
    }
    if (existing?.id != null) await discard(dependencies, actor, existing);
    await documents.relocate(actor, { id: entry.id!, parent_id: target.folder ?? null, name: target.name });
    return locks.forget(actor, before, entry.id!);
  };
