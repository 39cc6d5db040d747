import type { Knex } from 'knex';
import type { Context } from 'koa';
import type { Actor } from '#server/actor.ts';
import { AppError, badRequest, conflict, forbidden, notFound } from '#server/http/errors.ts';
import type { StoredBlob } from '#storage/blobs.ts';
import { checkPreconditions } from './conditions.ts';
import type { Transferred } from './copying.ts';
import { copyFile, copyFolder } from './copying.ts';
import type { DavDependencies, Method } from './dependencies.ts';
import { namesInAddress } from './paths.ts';
import type { Entry, ResolvedPath } from './tree.ts';
import { checkFileName, checkOverwrite, requireWrite, parentMissing, saveAt } from './write.ts';

const INTO_ITSELF = 'A folder cannot be copied or moved into itself.';
const SAVED_MEANWHILE =
  'This document was saved after the program had moved it aside. What it held before is among its versions.';

interface Transfer {
  source: ResolvedPath & { entry: Entry };
  target: ResolvedPath;
  /** The tokens of locks that the program sent. */
  tokens: ReadonlySet<string>;
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
  return { source: { ...source, entry: source.entry }, target, tokens };
}

/** COPY: onto a file it adds a version; an existing folder is replaced, and goes to Trash. */
export const copy =
  (dependencies: DavDependencies): Method =>
  async (ctx, actor) => {
    const { documents, locks, scratch } = dependencies;
    const { source, target } = await resolveTransfer(dependencies, ctx, actor);
    const { entry } = source;
    ctx.status = target.entry ? 204 : 201;
    const place = { folder: target.folder ?? null, name: target.name, deep: ctx.get('Depth') !== '0' };
    const replaced = target.entry?.id ?? null;
    if (replaced === null || (entry.type === 'file' && target.entry?.type === 'file')) {
      if (entry.type === 'folder') return copyFolder(dependencies, actor, entry, { ...place, replaced });
      await copyFile(dependencies, actor, entry, target);
      return undefined;
    }
    const before = await locks.live(actor);
    if (entry.type === 'folder') await copyFolder(dependencies, actor, entry, { ...place, replaced });
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
    // In one transaction, so that a document that has to stay is not copied either.
    const first = (trx: Knex.Transaction) => documents.removeWithin(trx, actor, item.id);
    await copyFile(dependencies, actor, item, target, { first });
    return locks.forget(actor, before, item.id);
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
