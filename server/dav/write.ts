import type { Knex } from 'knex';
import type { Context } from 'koa';
import type { Actor } from '#server/actor.ts';
import type { RequestState } from '#server/http/context.ts';
import { actorOf } from '#server/http/context.ts';
import type { ExpectedContent } from '#server/documents/contract.ts';
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
import { checkMeanwhile, checkPreconditions, expectedBy, isForNew, THERE_ALREADY } from './conditions.ts';
import { preconditionFailed } from './errors.ts';
import type { DavDependencies, Method } from './dependencies.ts';
import { etagValue } from './properties.ts';
import { isAmbiguous } from './scratch-names.ts';
import type { Entry, ResolvedPath } from './tree.ts';
import { may } from '#server/actor.ts';

export const parentMissing = () => conflict('The folder in which it would lie does not exist.', 'no_folder');
const A_FOLDER = 'There is a folder of this name.';
const methodNotAllowed = (message: string) => new AppError(405, 'method_not_allowed', message);

export function requireWrite(actor: Actor): void {
  if (!may(actor, 'documents.write'))
    throw forbidden(
      'This app password, or your role, only reads. Ask an admin of your firm, or make another app password.',
    );
}

const WITHOUT_TYPE = 'A file without a type at the end of its name, such as ".pdf", is not supported.';

/** @throws {AppError} 422 on `file` and `name` for a name or type that the vault rejects. */
export function checkFileName(name: string): void {
  const reason =
    checkName(name) ?? (name.trim() === name ? null : 'A name cannot begin or end with a blank.');
  if (reason) throw invalid({ name: [reason] });
  const extension = extensionOf(name);
  if (!ALLOWED_EXTENSIONS.has(extension))
    throw invalid({ file: [extension === '' ? WITHOUT_TYPE : unsupported(extension)] });
}

/**
 * Refuses content under a name that only looks like a temporary file's: as such it would be lost after a while, although
 * its sender was told that it is stored. Programs create their temporary files empty.
 * @param bytes null when unknown.
 * @throws {AppError} 422 on `file`.
 */
export function checkTemporary(
  { entry, name }: Pick<ResolvedPath, 'entry' | 'name'>,
  bytes: number | null,
): void {
  if (!entry && bytes !== 0 && isAmbiguous(name)) checkFileName(name);
}

/** What the saving of a file depends on. */
export interface Saving {
  /** Runs in the transaction that saves the file: what either of them throws undoes both. */
  first?: (trx: Knex.Transaction) => Promise<void>;
  /** The document that the bytes are a copy of; a program's own save has none. */
  source?: number | undefined;
  /** The content of the file that they are for. */
  expected?: ExpectedContent | undefined;
  /** Whether they are only for a new file. */
  only_new?: boolean;
  /** Whether whatever they replace becomes a version. */
  copied?: boolean;
}

type Place = Pick<ResolvedPath, 'entry' | 'folder' | 'name'>;

/** Stores bytes as the new content of the existing file, or as a new file. @returns its id. */
export async function saveAt(
  { documents, uploads }: Pick<DavDependencies, 'documents' | 'uploads'>,
  actor: Actor,
  place: Place,
  blob: StoredBlob,
  original_at: string | null,
  {
    kept = false,
    ...saving
  }: Saving & {
    /** Whether something else still refers to the bytes if they cannot be saved. */ kept?: boolean;
  } = {},
): Promise<number> {
  const save = () => saveTo(documents, actor, place, { blob, original_at }, saving);
  return uploads.saveScanned(actor, blob, place.name, save, { kept });
}

/** As `saveAt`, for bytes that are scanned already. */
async function saveTo(
  documents: DavDependencies['documents'],
  actor: Actor,
  { entry, folder, name }: Place,
  { blob, original_at }: { blob: StoredBlob; original_at: string | null },
  { first, source, expected, only_new = false, copied = false }: Saving,
): Promise<number> {
  const content = { blob, original_at, copied: copied || (source !== undefined && source !== entry?.id) };
  if (entry && entry.id !== null)
    return (await documents.overwriteFile(actor, entry.id, { ...content, expected }, first)).id;
  const place = { name, parent_id: folder ?? null, client_id: null, conflict: 'replace' as const, only_new };
  const file = { ...place, ...content };
  return (first ? await documents.addFileAfter(actor, file, first) : await documents.addFile(actor, file)).id;
}

/** The modification date that rclone, Nextcloud clients and others send, in seconds since 1970. */
function dateOf(ctx: Context): string | null {
  const seconds = Number(ctx.get('X-OC-Mtime') || NaN);
  return Number.isFinite(seconds) && seconds > 0 && seconds < 1e11
    ? new Date(seconds * 1000).toISOString()
    : null;
}

/** The announced length of the body, which Finder sends beside a chunked one; null when unknown. */
function announcedLength(ctx: Context): number | null {
  const text = ctx.get('Content-Length') || ctx.get('X-Expected-Entity-Length');
  const bytes = /^\d{1,15}$/.test(text) ? Number(text) : null;
  if (text !== '' && bytes === null) throw badRequest('The length of the file cannot be read.');
  return bytes;
}

/** Who sends a request whose body has arrived, with present permissions. @throws {AppError} 401, 403. */
async function stillWriting(ctx: Context): Promise<Actor> {
  const state = ctx.state as RequestState;
  await state.requireLiveSession?.();
  const actor = actorOf(ctx);
  requireWrite(actor);
  return actor;
}

/** PUT: creates a file, or replaces its content. */
export const put =
  (dependencies: DavDependencies): Method =>
  async (ctx, actor) => {
    const { tree, uploads, scratch, documents } = dependencies;
    const resolved = await tree.find(actor, ctx.state.names as string[]);
    const { entry, folder, name } = resolved;
    if (resolved.names.length === 0 || entry?.type === 'folder') throw methodNotAllowed(A_FOLDER);
    if (folder === undefined) throw parentMissing();
    if (ctx.get('Content-Range')) throw badRequest('Send the whole file: a part of it cannot be replaced.');
    requireWrite(actor);
    const tokens = await checkPreconditions(dependencies, ctx, actor, resolved);
    const bytes = announcedLength(ctx);
    if ((bytes ?? 0) > MAX_FILE_BYTES) throw tooLarge(TOO_LARGE);
    if (scratch.isScratch(name) && !entry?.id) {
      checkTemporary(resolved, bytes);
      const blob = await uploads.store(ctx.req, bytes);
      const present = await stillWriting(ctx).catch(async (error: unknown) => {
        await uploads.discard(blob);
        throw error;
      });
      await scratch.put(present, folder, name, { blob });
      ctx.status = entry ? 204 : 201;
      return;
    }
    await requireUnlocked(dependencies, actor, tokens, resolved);
    checkFileName(entry?.name ?? name);
    if (!entry)
      await documents.checkUpload(actor, { parent_id: folder, client_id: null, bytes: bytes ?? undefined });
    const original_at = dateOf(ctx);
    const blob = await uploads.store(ctx.req, bytes);
    // Others may have saved, locked or moved the file, or ended the app password, while the bytes arrived and were scanned.
    await uploads.saveScanned(actor, blob, name, async () => {
      const present = await stillWriting(ctx);
      const now = await tree.find(present, ctx.state.names as string[]);
      if (now.entry?.type === 'folder') throw methodNotAllowed(A_FOLDER);
      if (now.folder === undefined) throw parentMissing();
      checkMeanwhile(ctx, entry, now.entry);
      await requireUnlocked(dependencies, present, tokens, now);
      const saving = {
        ...(entry && { expected: expectedBy(ctx, entry) }),
        // The program has not seen what has come to where no file was.
        copied: !entry || !now.entry,
        only_new: isForNew(ctx),
      };
      await saveTo(documents, present, now, { blob, original_at }, saving).catch((error: unknown) => {
        const isTaken = isForNew(ctx) && error instanceof AppError && error.errors?.name !== undefined;
        throw isTaken ? preconditionFailed(THERE_ALREADY) : error;
      });
      ctx.status = now.entry ? 204 : 201;
    });
    if (original_at) ctx.set('X-OC-Mtime', 'accepted');
    ctx.set('ETag', `"${etagValue(blob.sha256)}"`);
  };

/** @throws {AppError} 423 if a lock on the file, or on the folder of a new one, stands in the way of a save. */
const requireUnlocked = (
  { locks }: Pick<DavDependencies, 'locks'>,
  actor: Actor,
  tokens: ReadonlySet<string>,
  { entry, folder }: Place,
): Promise<void> =>
  locks.requireTokens(actor, tokens, entry?.id ? { items: [entry.id] } : { folders: [folder ?? null] });

/** MKCOL: creates a folder. */
export const mkcol =
  (dependencies: DavDependencies): Method =>
  async (ctx, actor) => {
    const { tree, locks, documents, scratch } = dependencies;
    const resolved = await tree.find(actor, ctx.state.names as string[]);
    const { entry, folder, name } = resolved;
    if (entry) throw methodNotAllowed('Something of this name is there already.');
    if (folder === undefined) throw parentMissing();
    if (Number(ctx.get('Content-Length')) > 0 || ctx.get('Transfer-Encoding'))
      throw new AppError(415, 'unsupported_media_type', 'A new folder is asked for without a body.');
    requireWrite(actor);
    if (scratch.isScratch(name) && !isAmbiguous(name))
      throw forbidden('Folders of systems are not kept here.');
    const tokens = await checkPreconditions(dependencies, ctx, actor, resolved);
    await locks.requireTokens(actor, tokens, { folders: [folder] });
    await documents.createFolder(actor, { name, parent_id: folder, client_id: null });
    ctx.status = 201;
  };

/** Moves an entry to Trash. @throws {AppError} 403 with the reason why it may not be deleted. */
export async function discard(
  { documents, locks }: Pick<DavDependencies, 'documents' | 'locks'>,
  actor: Actor,
  entry: Pick<Entry, 'id'>,
): Promise<void> {
  const before = await locks.live(actor);
  const { failed } = await documents.remove(actor, [entry.id!]);
  if (failed[0]) throw new AppError(403, failed[0].code ?? 'forbidden', failed[0].message);
  await locks.forget(actor, before, entry.id!);
}

/** DELETE: moves to Trash, or deletes where there is no Trash. */
export const remove =
  (dependencies: DavDependencies): Method =>
  async (ctx, actor) => {
    const { tree, locks, scratch } = dependencies;
    const resolved = await tree.find(actor, ctx.state.names as string[]);
    const { entry, folder, names } = resolved;
    if (!entry) throw notFound('file');
    if (names.length === 0) throw forbidden('The drive itself cannot be deleted.');
    requireWrite(actor);
    const tokens = await checkPreconditions(dependencies, ctx, actor, resolved);
    ctx.status = 204;
    if (entry.scratch) return scratch.remove(actor, entry.scratch);
    await locks.requireTokens(actor, tokens, { items: [entry.id!], below: true, folders: [folder ?? null] });
    return discard(dependencies, actor, entry);
  };

/** @throws {AppError} 412 when the target exists and must not be overwritten. */
export function checkOverwrite(ctx: Context, entry: Entry | null): void {
  if (entry && ctx.get('Overwrite').toUpperCase() === 'F')
    throw preconditionFailed('Something of this name is there already.');
}
