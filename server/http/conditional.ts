import type { Context } from 'koa';

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000) * 1000;

/**
 * Whether the client has this version already (RFC 9110, 13.2.2: If-None-Match decides if it is sent, else the
 * date).
 */
export function notModified(ctx: Context, etag: string, modifiedAt: Date | null): boolean {
  const tags = ctx.get('If-None-Match');
  if (tags) return tags.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
  const since = Date.parse(ctx.get('If-Modified-Since'));
  return modifiedAt !== null && seconds(modifiedAt) <= since;
}

/**
 * Whether If-Range matches the current version; true without the header. A weak tag never matches, and a date
 * only exactly (RFC 9110, 13.1.5): a resumed download must not be assembled from two versions.
 */
export function ifRangeHolds(header: string | undefined, etag: string, modifiedAt: Date | null): boolean {
  if (!header) return true;
  if (header.includes('"')) return header.trim() === etag;
  return modifiedAt !== null && Date.parse(header) === seconds(modifiedAt);
}
