import type { Context } from 'koa';
import type { Actor } from '#server/actor.ts';
import {
  ALLOWED_EXTENSIONS,
  MAX_FILE_BYTES,
  TOO_LARGE,
  checkName,
  unsupported,
} from '#server/documents/contract.ts';
import {
  AppError,
  badRequest,
  conflict,
  forbidden,
  invalid,
  notFound,
  tooLarge,
} from '#server/http/errors.ts';
import { extensionOf } from '#server/text/extension.ts';
import type { StoredBlob } from '#storage/blobs.ts';
import { demandConditions } from './conditions.ts';
import { preconditionFailed } from './errors.ts';
import type { DavParts, Method } from './parts.ts';
import { tagOf } from './properties.ts';
import type { Entry, Place } from './tree.ts';
import { may } from '#server/actor.ts';

export const notThere = () => conflict('The folder in which it would lie does not exist.', 'no_folder');
const A_FOLDER = 'There is a folder of this name.';
const METHOD = (message: string) => new AppError(405, 'method_not_allowed', message);

export function demandWrite(actor: Actor): void {
  if (!may(actor, 'documents.write'))
    throw forbidden(
      'This app password, or your role, only reads. Ask an admin of your firm, or make another app password.',
    );
}

/** @throws {AppError} 422 on `file` and `name` for what the vault does not keep. */
export function demandFileName(name: string): void {
  const reason =
    checkName(name) ?? (name.trim() === name ? null : 'A name cannot begin or end with a blank.');
  if (reason) throw invalid({ name: [reason] });
  const extension = extensionOf(name);
  if (!ALLOWED_EXTENSIONS.has(extension)) throw invalid({ file: [unsupported(extension)] });
}

/** Gives bytes the place of a file, the one that is there or a new one. @returns its id. */
export async function saveAt(
  { documents, uploads }: Pick<DavParts, 'documents' | 'uploads'>,
  actor: Actor,
  { entry, folder, name }: Pick<Place, 'entry' | 'folder' | 'name'>,
  blob: StoredBlob,
  original_at: string | null,
): Promise<number> {
  const item = await uploads.settle(actor, blob, name, () =>
    entry && entry.id !== null
      ? documents.saveOver(actor, entry.id, { blob, original_at })
      : documents.addFile(actor, {
          name,
          parent_id: folder ?? null,
          client_id: null,
          blob,
          original_at,
          conflict: 'replace',
        }),
  );
  return item.id;
}

/** When the file was changed where it comes from, as rclone, Nextcloud's programs and others say it: seconds since 1970. */
function dateOf(ctx: Context): string | null {
  const seconds = Number(ctx.get('X-OC-Mtime') || NaN);
  return Number.isFinite(seconds) && seconds > 0 && seconds < 1e11
    ? new Date(seconds * 1000).toISOString()
    : null;
}

/** How long the body is to be; Finder says it beside a chunked one. Null where nobody says. */
function announced(ctx: Context): number | null {
  const text = ctx.get('Content-Length') || ctx.get('X-Expected-Entity-Length');
  const bytes = /^\d{1,15}$/.test(text) ? Number(text) : null;
  if (text !== '' && bytes === null) throw badRequest('The length of the file cannot be read.');
  return bytes;
}

/** PUT: a new file, or the next content of one. */
export const put =
  (parts: DavParts): Method =>
  async (ctx, actor) => {
    const { tree, locks, uploads, scratch, documents } = parts;
    const place = await tree.find(actor, ctx.state.names as string[]);
    const { entry, folder, name } = place;
    if (place.names.length === 0 || entry?.type === 'folder') throw METHOD(A_FOLDER);
    if (folder === undefined) throw notThere();
    if (ctx.get('Content-Range')) throw badRequest('Send the whole file: a part of it cannot be replaced.');
    demandWrite(actor);
    const given = await demandConditions(parts, ctx, actor, place);
    const bytes = announced(ctx);
    if ((bytes ?? 0) > MAX_FILE_BYTES) throw tooLarge(TOO_LARGE);
    if (scratch.isScratch(name) && !entry?.id) {
      await scratch.put(actor, folder, name, { blob: await uploads.store(ctx.req, bytes) });
      ctx.status = entry ? 204 : 201;
      return;
    }
    const touched = entry ? { items: [entry.id!] } : { folders: [folder] };
    await locks.demand(actor, given, touched);
    demandFileName(entry?.name ?? name);
    if (!entry)
      await documents.checkUpload(actor, { parent_id: folder, client_id: null, bytes: bytes ?? undefined });
    const original_at = dateOf(ctx);
    const blob = await uploads.store(ctx.req, bytes);
    await saveAt(parts, actor, place, blob, original_at);
    if (original_at) ctx.set('X-OC-Mtime', 'accepted');
    ctx.set('ETag', `"${tagOf(blob.sha256)}"`);
    ctx.status = entry ? 204 : 201;
  };

/** MKCOL: a new folder. */
export const mkcol =
  (parts: DavParts): Method =>
  async (ctx, actor) => {
    const { tree, locks, documents, scratch } = parts;
    const place = await tree.find(actor, ctx.state.names as string[]);
    const { entry, folder, name } = place;
    if (entry) throw METHOD('Something of this name is there already.');
    if (folder === undefined) throw notThere();
    if (Number(ctx.get('Content-Length')) > 0 || ctx.get('Transfer-Encoding'))
      throw new AppError(415, 'unsupported_media_type', 'A new folder is asked for without a body.');
    demandWrite(actor);
    if (scratch.isScratch(name)) throw forbidden('Folders of systems are not kept here.');
    const given = await demandConditions(parts, ctx, actor, place);
    await locks.demand(actor, given, { folders: [folder] });
    await documents.createFolder(actor, { name, parent_id: folder, client_id: null });
    ctx.status = 201;
  };

/** Moves what stands at a place to Trash. @throws {AppError} 403 with the reason why it has to stay. */
export async function discard(
  { documents, locks }: Pick<DavParts, 'documents' | 'locks'>,
  actor: Actor,
  entry: Entry,
): Promise<void> {
  const before = await locks.live(actor);
  const { failed } = await documents.remove(actor, [entry.id!]);
  if (failed[0]) throw new AppError(403, failed[0].code ?? 'forbidden', failed[0].message);
  await locks.forget(actor, before, entry.id!);
}

/** DELETE: to Trash, where there is one. */
export const remove =
  (parts: DavParts): Method =>
  async (ctx, actor) => {
    const { tree, locks, scratch } = parts;
    const place = await tree.find(actor, ctx.state.names as string[]);
    const { entry, folder, names } = place;
    if (!entry) throw notFound('file');
    if (names.length === 0) throw forbidden('The drive itself cannot be deleted.');
    demandWrite(actor);
    const given = await demandConditions(parts, ctx, actor, place);
    ctx.status = 204;
    if (entry.scratch) return scratch.remove(actor, entry.scratch);
    await locks.demand(actor, given, { items: [entry.id!], below: true, folders: [folder ?? null] });
    return discard(parts, actor, entry);
  };

/** @throws {AppError} 412 where something is there that is not to be replaced. */
export function demandOverwrite(ctx: Context, entry: Entry | null): void {
  if (entry && ctx.get('Overwrite').toUpperCase() === 'F')
    throw preconditionFailed('Something of this name is there already.');
}
