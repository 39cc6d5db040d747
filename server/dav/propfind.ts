import type { Context } from 'koa';
import { rawBody } from '#server/http/body.ts';
import { badRequest, notFound } from '#server/http/errors.ts';
import { DavError } from './errors.ts';
import type { DavDependencies, Method } from './dependencies.ts';
import { hrefOf } from './paths.ts';
import type { EntryFacts, PropfindRequest } from './properties.ts';
import { keyOf, responseXml, serializersOf } from './properties.ts';
import type { Element } from './xml.ts';
import { DAV_NS, XML_HEAD, childOf, readXml } from './xml.ts';

/** Limit of XML request bodies. */
const BODY_MAX_BYTES = 64 * 1024;

/** The parsed XML body; null for an empty one. @throws {AppError} 400, 413. */
export async function xmlOf(ctx: Context): Promise<Element | null> {
  const bytes = await rawBody(ctx, BODY_MAX_BYTES);
  if (bytes.length === 0) return null;
  const mark = bytes.length > 1 ? bytes.readUInt16BE(0) : 0;
  const encoding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8';
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw badRequest('The XML of the request is not in UTF-8.', 'malformed_xml');
  }
  return readXml(text);
}

const NOT_ASKED = 'The request does not say which properties it asks for.';

function parsePropfind(root: Element | null): PropfindRequest {
  if (!root) return { mode: 'all', properties: [] };
  if (root.ns !== DAV_NS || root.name !== 'propfind') throw badRequest(NOT_ASKED, 'malformed_xml');
  const names = (element: Element | undefined) =>
    (element?.children ?? []).map(({ ns, name }) => ({ ns, name }));
  const some = childOf(root, 'prop');
  if (some) return { mode: 'some', properties: names(some) };
  if (childOf(root, 'propname')) return { mode: 'names', properties: [] };
  if (childOf(root, 'allprop')) return { mode: 'all', properties: names(childOf(root, 'include')) };
  throw badRequest(NOT_ASKED, 'malformed_xml');
}

const DEEP = 'Folders are listed one by one here: ask with Depth 0 or 1.';

/** PROPFIND: the properties of an entry and, with `Depth: 1`, of its children. */
export const propfind =
  ({ tree, locks, deadProperties, room }: DavDependencies): Method =>
  async (ctx, actor) => {
    const requested = parsePropfind(await xmlOf(ctx));
    const depth = ctx.get('Depth').toLowerCase() || 'infinity';
    if (!['0', '1', 'infinity'].includes(depth)) throw badRequest('Depth is 0 or 1.');
    const names = ctx.state.names as string[];
    const { entry } = await tree.find(actor, names);
    if (!entry) throw notFound('file');
    if (depth === 'infinity' && entry.type === 'folder')
      throw new DavError(403, 'propfind_finite_depth', '<d:propfind-finite-depth/>', DEEP);
    const inside = depth === '1' && entry.type === 'folder' ? await tree.list(actor, entry.id) : [];
    const live = await locks.live(actor);
    const locksOf = await locks.forChildren(actor.firmId, live, entry.id);
    const serializers = serializersOf(requested);
    const requestedKeys = new Set(serializers.map(({ key }) => key));
    const quota = ['quota-available-bytes', 'quota-used-bytes'].some((name) =>
      requestedKeys.has(keyOf({ ns: DAV_NS, name })),
    );
    const about: EntryFacts = {
      quota: quota ? await room(actor) : null,
      locks: (described) =>
        locks.toXml(actor, described === entry ? locksOnEntry : locksOf(described.id), described),
    };
    const locksOnEntry = await locks.locksOn(live, actor.firmId, entry.id);
    const properties = await deadProperties.of([entry.id, ...inside.map(({ id }) => id)]);
    const brief = ctx.get('Brief') === 't' || /\breturn=minimal\b/.test(ctx.get('Prefer'));
    const answer = (href: string, child: typeof entry): string =>
      responseXml(href, child, requested, serializers, about, properties.get(child.id ?? 0), brief);
    const base = hrefOf(names, true);
    const pieces = [XML_HEAD, '<d:multistatus xmlns:d="DAV:">\n'];
    pieces.push(answer(entry.type === 'folder' ? base : hrefOf(names, false), entry));
    for (const child of inside)
      pieces.push(
        answer(base + encodeURIComponent(child.name) + (child.type === 'folder' ? '/' : ''), child),
      );
    pieces.push('</d:multistatus>\n');
    ctx.status = 207;
    ctx.set('Content-Type', 'application/xml; charset=utf-8');
    ctx.body = pieces.join('');
  };
