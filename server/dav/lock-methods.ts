import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { badRequest, forbidden, notFound } from '#server/http/errors.ts';
import { checkPreconditions } from './conditions.ts';
import { readIf, tokensIn } from './if-header.ts';
import { LOCK_SECONDS } from './locks.ts';
import type { DavDependencies, Method } from './dependencies.ts';
import { xmlOf } from './propfind.ts';
import { checkFileName, requireWrite, parentMissing, saveAt } from './write.ts';
import { DAV_NS, XML_HEAD, childOf } from './xml.ts';

const OWNER_MAX = 1000;

/** The requested lock timeout in seconds, limited to the maximum. */
function secondsOf(ctx: Context): number {
  for (const part of ctx.get('Timeout').split(',')) {
    const found = /^\s*(?:Second-(\d{1,10})|(Infinite))\s*$/i.exec(part);
    if (found) return found[2] ? LOCK_SECONDS.max : Math.min(LOCK_SECONDS.max, Math.max(1, Number(found[1])));
  }
  return LOCK_SECONDS.default;
}

function sendLock(ctx: Context, activelock: string): void {
  ctx.set('Content-Type', 'application/xml; charset=utf-8');
  ctx.body = `${XML_HEAD}<d:prop xmlns:d="DAV:"><d:lockdiscovery>${activelock}</d:lockdiscovery></d:prop>\n`;
}

/** Scratch files belong to one program alone, so the response only pretends to lock them. */
function sendScratchLock(ctx: Context): void {
  const token = ctx.get('If') ? [...tokensIn(readIf(ctx.get('If')))][0] : undefined;
  const lockToken = token ?? `urn:uuid:${randomUUID()}`;
  ctx.set('Lock-Token', `<${lockToken}>`);
  sendLock(
    ctx,
    '<d:activelock><d:locktype><d:write/></d:locktype><d:lockscope><d:exclusive/></d:lockscope><d:depth>0</d:depth>' +
      `<d:timeout>Second-${secondsOf(ctx)}</d:timeout><d:locktoken><d:href>${lockToken.replace(/[<>&]/g, '')}</d:href></d:locktoken></d:activelock>`,
  );
}

/** LOCK: creates a lock; without a body it refreshes one. */
export const lock =
  (dependencies: DavDependencies): Method =>
  async (ctx, actor) => {
    const { tree, locks, scratch, documents, blobs } = dependencies;
    const info = await xmlOf(ctx);
    const resolved = await tree.find(actor, ctx.state.names as string[]);
    const { entry, folder, name, names } = resolved;
    if (names.length === 0 && entry?.id == null)
      throw forbidden('Lock a file or a folder, not the whole drive.');
    if (!entry && folder === undefined) throw parentMissing();
    requireWrite(actor);
    if (scratch.isScratch(name) && !entry?.id) {
      if (!entry)
        await scratch.put(actor, folder ?? null, name, { blob: await blobs.put(Readable.from([])) });
      ctx.status = entry ? 200 : 201;
      return sendScratchLock(ctx);
    }
    const seconds = secondsOf(ctx);
    if (!info) {
      if (!entry) throw notFound('file');
      if (!ctx.get('If')) throw badRequest('The request does not say which lock is to hold on.');
      const refreshed = await locks.refresh(actor, entry.id!, tokensIn(readIf(ctx.get('If'))), seconds);
      return sendLock(ctx, locks.toXml(actor, [refreshed], entry));
    }
    const scope = childOf(info, 'lockscope');
    const shared = scope && childOf(scope, 'shared') !== undefined;
    const type = childOf(info, 'locktype');
    if (info.ns !== DAV_NS || info.name !== 'lockinfo' || !type || !childOf(type, 'write') || !scope)
      throw badRequest('Only write locks are known here.', 'malformed_xml');
    if (!shared && !childOf(scope, 'exclusive')) throw badRequest('A lock is exclusive or shared.');
    const depth = ctx.get('Depth').toLowerCase() || 'infinity';
    if (depth !== '0' && depth !== 'infinity') throw badRequest('A lock has the depth 0 or infinity.');
    const tokens = await checkPreconditions(dependencies, ctx, actor, resolved);
    let id = entry?.id ?? null;
    if (id === null) {
      await locks.requireTokens(actor, tokens, { folders: [folder ?? null] });
      checkFileName(name);
      await documents.checkUpload(actor, { parent_id: folder ?? null, client_id: null });
      id = await saveAt(dependencies, actor, resolved, await blobs.put(Readable.from([])), null);
    }
    const owner = (childOf(info, 'owner')?.inner ?? '').trim();
    const made = await locks.create(actor, {
      id,
      shared: Boolean(shared),
      deep: depth === 'infinity' && (entry?.type ?? 'file') === 'folder',
      owner: owner.length > OWNER_MAX ? '' : owner,
      seconds,
    });
    ctx.status = entry ? 200 : 201;
    ctx.set('Lock-Token', `<${made.token}>`);
    return sendLock(ctx, locks.toXml(actor, [made], entry ?? { type: 'file' }));
  };

/** UNLOCK: removes a lock. */
export const unlock =
  ({ tree, locks }: DavDependencies): Method =>
  async (ctx, actor) => {
    const { entry } = await tree.find(actor, ctx.state.names as string[]);
    const token = /^\s*<([^<>]+)>\s*$/.exec(ctx.get('Lock-Token'))?.[1];
    if (!token) throw badRequest('The request does not say which lock it ends (Lock-Token).');
    if (!entry) throw notFound('file');
    if (!entry.scratch) await locks.release(actor, entry.id ?? 0, token);
    ctx.status = 204;
  };
