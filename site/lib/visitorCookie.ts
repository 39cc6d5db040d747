import { randomBytes } from 'node:crypto';
import type { AstroGlobal } from 'astro';
import { isVisitorCookie } from '#server/links/contract.ts';

interface CookieOptions {
  name: string;
  /** The path of the link, so that every link has its own cookie. */
  path: string;
  maxAgeMs: number;
}

/**
 * The cookie that identifies the browser of a visitor from outside, to which the page's forms are bound. It is set when there is none.
 * @returns its value.
 */
export function visitorCookie(
  { cookies, locals }: AstroGlobal,
  { name, path, maxAgeMs }: CookieOptions,
): string {
  const value = cookies.get(name)?.value;
  if (isVisitorCookie(value)) return value;
  const created = randomBytes(32).toString('base64url');
  const secure = locals.baseUrl.startsWith('https:');
  cookies.set(name, created, { path, httpOnly: true, sameSite: 'lax', secure, maxAge: maxAgeMs / 1000 });
  return created;
}
