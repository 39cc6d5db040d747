import type { Context } from 'koa';
import type { Actor } from '#server/actor.ts';
import type { ExpectedContent } from '#server/documents/contract.ts';
import { CHANGED_MEANWHILE as CHANGED } from '#server/documents/contract.ts';
import { preconditionFailed } from './errors.ts';
import { readIf, tokensIn } from './if-header.ts';
import type { DavDependencies } from './dependencies.ts';
import { namesInAddress } from './paths.ts';
import { etagOf } from './properties.ts';
import type { Entry, ResolvedPath } from './tree.ts';

export const THERE_ALREADY = 'A file of this name is there already.';

const tags = (header: string): string[] => header.split(',').map((tag) => tag.trim());

/** Whether a request is only for a file that has a certain content. */
const isForContent = (ctx: Context): boolean =>
  (ctx.get('If-Match') !== '' && !tags(ctx.get('If-Match')).includes('*')) || ctx.get('If').includes('[');

/** Whether a request is only for a file that does not exist yet. */
export const isForNew = (ctx: Context): boolean => tags(ctx.get('If-None-Match')).includes('*');

/**
 * Checks the preconditions on a file again, which has `now` become of what `first` met them.
 * @throws {AppError} 412.
 */
export function checkMeanwhile(ctx: Context, first: Entry | null, now: Entry | null): void {
  checkEtags(ctx, now);
  if (isForContent(ctx) && first?.sha256 !== now?.sha256) throw preconditionFailed(CHANGED);
}

/** The content that a save is for; one for a certain content is refused for another. */
export const expectedBy = (ctx: Context, { sha256 }: Entry): ExpectedContent => ({
  sha256,
  strict: isForContent(ctx),
});

function checkEtags(ctx: Context, entry: Entry | null): void {
  const etag = entry && etagOf(entry);
  const [match, none] = [ctx.get('If-Match'), ctx.get('If-None-Match')];
  if (match && (!entry || !tags(match).some((tag) => tag === '*' || tag === etag)))
    throw preconditionFailed(CHANGED);
  const safe = ctx.method === 'GET' || ctx.method === 'HEAD';
  if (none && !safe && entry && tags(none).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag))
    throw preconditionFailed(none.trim() === '*' ? THERE_ALREADY : CHANGED);
}

/**
 * Checks the request's preconditions: `If-Match`, `If-None-Match` and `If`.
 * @returns the lock tokens that the request carries.
 * @throws {AppError} 400, 412.
 */
export async function checkPreconditions(
  { tree, locks, hosts }: Pick<DavDependencies, 'tree' | 'locks' | 'hosts'>,
  ctx: Context,
  actor: Actor,
  resolved: ResolvedPath,
): Promise<Set<string>> {
  checkEtags(ctx, resolved.entry);
  const header = ctx.get('If');
  if (!header) return new Set();
  const lists = readIf(header);
  const live = await locks.live(actor);
  for (const { resource, conditions } of lists) {
    const names = resource === null ? null : namesInAddress(resource, hosts(ctx));
    if (resource !== null && names === null) continue;
    const subject = names === null ? resolved : await tree.find(actor, names);
    const over = await locks.locksOn(live, actor.firmId, subject.entry?.id ?? subject.folder ?? null);
    const heldTokens = new Set(over.map(({ token }) => token));
    const etag = subject.entry && etagOf(subject.entry);
    const holds = conditions.every(
      ({ not, token, etag: expected }) =>
        not !== (token === undefined ? expected === etag : heldTokens.has(token)),
    );
    if (holds) return tokensIn(lists);
  }
  // Scratch files are never really locked, whatever token the program was given.
  if (resolved.entry?.scratch) return tokensIn(lists);
  throw preconditionFailed(
    'The file is no longer as the program expects: it was changed, or its lock has ended.',
  );
}
