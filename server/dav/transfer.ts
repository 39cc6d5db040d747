import type { Context } from 'koa';
import type { Actor } from '#server/actor.ts';
import { AppError, badRequest, forbidden, notFound } from '#server/http/errors.ts';
import type { StoredBlob } from '#storage/blobs.ts';
import { demandConditions } from './conditions.ts';
import type { DavParts, Method } from './parts.ts';
import { namesInAddress } from './paths.ts';
import type { ScratchFile } from './scratch-files.ts';
import type { Entry, Place } from './tree.ts';
import { demandFileName, demandOverwrite, demandWrite, discard, notThere, saveAt } from './write.ts';

const INTO_ITSELF = 'A folder cannot be copied or moved into itself.';
/** Items of a folder that one request copies. */
const COPIED_MOST = 5000;

interface Transfer {
  source: Place & { entry: Entry };
  target: Place;
}

/** What is to go where, with what stands in its way asked about. @throws {AppError} 400, 403, 404, 409, 412, 423, 502. */
async function transferOf(parts: DavParts, ctx: Context, actor: Actor): Promise<Transfer> {
  const { tree, locks, hosts } = parts;
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
  const under = source.names.every((name, at) => name.toLowerCase() === names[at]?.toLowerCase());
  if (under && names.length > source.names.length) throw forbidden(INTO_ITSELF);
  if (source.names.join('/') === names.join('/')) throw forbidden('It is there already.');
  if (target.folder === undefined) throw notThere();
  demandWrite(actor);
  const given = await demandConditions(parts, ctx, actor, source);
  const self = target.entry?.id != null && target.entry.id === source.entry.id;
  if (!self) demandOverwrite(ctx, target.entry);
  const over = target.entry?.id;
  if (over != null && source.folder !== undefined && source.names.length > names.length) {
    const above = names.every((name, at) => name.toLowerCase() === source.names[at]?.toLowerCase());
    if (above) throw forbidden('A folder cannot be replaced by what lies in it.');
  }
  const moves = ctx.method === 'MOVE' && !source.entry.scratch;
  await locks.demand(actor, given, {
    items: [...(over == null ? [] : [over]), ...(moves ? [source.entry.id!] : [])],
    below: true,
    folders: [
      ...(over == null ? [target.folder] : []),
      ...(moves && source.folder !== undefined ? [source.folder] : []),
    ],
  });
  return { source: { ...source, entry: source.entry }, target };
}

/** The bytes of a file once more, under a key of their own. @throws {AppError} 404, 403 for what is held back. */
async function copyOf({ documents, blobs }: DavParts, actor: Actor, entry: Entry): Promise<StoredBlob> {
  const id = entry.scratch
    ? (entry.scratch.blob ?? { id: '' }).id
    : (await documents.openFile(actor, entry.id!)).blob_id;
  return blobs.put(await blobs.get(id));
}

async function copyFile(parts: DavParts, actor: Actor, from: Entry, target: Place): Promise<void> {
  if (parts.scratch.isScratch(target.name)) {
    const blob = await copyOf(parts, actor, from);
    return parts.scratch.put(actor, target.folder ?? null, target.name, { blob });
  }
  demandFileName(target.name);
  const bytes = from.file_size ?? 0;
  await parts.documents.checkUpload(actor, { parent_id: target.folder ?? null, client_id: null, bytes });
  const blob = await copyOf(parts, actor, from);
  const id = await saveAt(parts, actor, target, blob, from.original_at);
  if (from.id !== null) await parts.kept.copy(from.id, id);
  return undefined;
}

async function copyFolder(
  parts: DavParts,
  actor: Actor,
  from: Entry,
  target: { folder: number | null; name: string },
  { deep, left }: { deep: boolean; left: { items: number } },
): Promise<void> {
  const { documents, tree, kept } = parts;
  const made = await documents.createFolder(actor, {
    name: target.name,
    parent_id: target.folder,
    client_id: null,
  });
  await kept.copy(from.id!, made.id);
  if (!deep) return;
  for (const entry of await tree.list(actor, from.id)) {
    if (entry.scratch) continue;
    left.items -= 1;
    if (left.items < 0)
      throw forbidden(`A folder of more than ${COPIED_MOST} items cannot be copied in one go.`);
    const { name } = entry;
    if (entry.type === 'folder')
      await copyFolder(parts, actor, entry, { folder: made.id, name }, { deep, left });
    else await copyFile(parts, actor, entry, { names: [name], name, folder: made.id, entry: null });
  }
}

/** COPY: a file becomes the next version of one that is there; a folder that is there goes to Trash. */
export const copy =
  (parts: DavParts): Method =>
  async (ctx, actor) => {
    const { source, target } = await transferOf(parts, ctx, actor);
    const { entry } = source;
    ctx.status = target.entry ? 204 : 201;
    const replaces = target.entry?.id != null && (entry.type === 'folder' || target.entry.type === 'folder');
    if (replaces) await discard(parts, actor, target.entry!);
    const to = replaces ? { ...target, entry: null } : target;
    if (entry.type === 'file') return copyFile(parts, actor, entry, to);
    const deep = ctx.get('Depth') !== '0';
    const place = { folder: to.folder ?? null, name: to.name };
    return copyFolder(parts, actor, entry, place, { deep, left: { items: COPIED_MOST } });
  };

/** Of two requests that move one file away, at whichever processes, one does it. @throws {AppError} 404 */
async function demandStill({ letGo }: DavParts['scratch'], actor: Actor, file: ScratchFile): Promise<void> {
  if (!(await letGo(actor, file))) throw notFound('file');
}

/** A program's own file gets a place among the documents, or another name. */
async function moveScratch(parts: DavParts, actor: Actor, { source, target }: Transfer): Promise<void> {
  const { scratch } = parts;
  const file = source.entry.scratch!;
  const { blob, aside } = file;
  if (scratch.isScratch(target.name)) {
    await demandStill(scratch, actor, file);
    return scratch.put(actor, target.folder ?? null, target.name, {
      blob,
      ...(aside !== undefined && { aside }),
    });
  }
  // What was set aside stands under its name still.
  if (!blob) return demandStill(scratch, actor, file);
  demandFileName(target.name);
  if (target.entry?.type === 'folder') await discard(parts, actor, target.entry);
  await demandStill(scratch, actor, file);
  await saveAt(parts, actor, target, blob as StoredBlob, null);
  return undefined;
}

/**
 * MOVE: another place and name. A file that is there becomes what is moved over it, as programs save, and keeps its links
 * and versions; the moved one goes to Trash, as does a folder that is there.
 */
export const move =
  (parts: DavParts): Method =>
  async (ctx, actor) => {
    const { documents, locks, scratch } = parts;
    const transfer = await transferOf(parts, ctx, actor);
    const { source, target } = transfer;
    const { entry } = source;
    const there = target.entry?.id === entry.id && entry.id !== null ? null : target.entry;
    ctx.status = there ? 204 : 201;
    if (entry.scratch) return moveScratch(parts, actor, transfer);
    if (entry.type === 'file' && scratch.isScratch(target.name)) {
      // Programs save so: the document out of the way, the new one into its place, the old one deleted.
      return scratch.put(actor, target.folder ?? null, target.name, { blob: null, aside: entry.id! });
    }
    const before = await locks.live(actor);
    if (there?.id != null && entry.type === 'file' && there.type === 'file') {
      await copyFile(parts, actor, entry, target);
      return discard(parts, actor, entry);
    }
    if (there?.id != null) await discard(parts, actor, there);
    await documents.relocate(actor, { id: entry.id!, parent_id: target.folder ?? null, name: target.name });
    return locks.forget(actor, before, entry.id!);
  };
