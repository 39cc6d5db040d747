import type { Context } from 'koa';
import type { Actor } from '#server/actor.ts';
import { preconditionFailed } from './errors.ts';
import { readIf, tokensIn } from './if-header.ts';
import type { DavParts } from './parts.ts';
import { namesInAddress } from './paths.ts';
import { etagOf } from './properties.ts';
import type { Entry, Place } from './tree.ts';

const CHANGED = 'The file was changed in the meantime. Load it again, then save it under another name.';

const tags = (header: string): string[] => header.split(',').map((tag) => tag.trim());

function demandTags(ctx: Context, entry: Entry | null): void {
  const etag = entry && etagOf(entry);
  const [match, none] = [ctx.get('If-Match'), ctx.get('If-None-Match')];
  if (match && (!entry || !tags(match).some((tag) => tag === '*' || tag === etag)))
    throw preconditionFailed(CHANGED);
  const safe = ctx.method === 'GET' || ctx.method === 'HEAD';
  if (none && !safe && entry && tags(none).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag))
    throw preconditionFailed(none.trim() === '*' ? 'A file of this name is there already.' : CHANGED);
}

/**
 * Holds a request to what it says of the state that it expects: `If-Match`, `If-None-Match` and `If`.
 * @returns the lock tokens that it bears.
 * @throws {AppError} 400, 412.
 */
export async function demandConditions(
  { tree, locks, hosts }: Pick<DavParts, 'tree' | 'locks' | 'hosts'>,
  ctx: Context,
  actor: Actor,
  place: Place,
): Promise<Set<string>> {
  demandTags(ctx, place.entry);
  const header = ctx.get('If');
  if (!header) return new Set();
  const lists = readIf(header);
  const live = await locks.live(actor);
  for (const { resource, conditions } of lists) {
    const names = resource === null ? null : namesInAddress(resource, hosts(ctx));
    if (resource !== null && names === null) continue;
    const about = names === null ? place : await tree.find(actor, names);
    const over = await locks.over(live, actor.firmId, about.entry?.id ?? about.folder ?? null);
    const held = new Set(over.map(({ token }) => token));
    const etag = about.entry && etagOf(about.entry);
    const holds = conditions.every(
      ({ not, token, etag: asked }) => not !== (token === undefined ? asked === etag : held.has(token)),
    );
    if (holds) return tokensIn(lists);
  }
  // A program's own files are locked by nobody, whatever token it was given.
  if (place.entry?.scratch) return tokensIn(lists);
  throw preconditionFailed(
    'The file is no longer as the program expects: it was changed, or its lock has ended.',
  );
}
