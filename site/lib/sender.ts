import { randomBytes } from 'node:crypto';
import type { AstroGlobal } from 'astro';
import { SENDER_COOKIE, isSenderCookie } from '#server/collecting/contract.ts';
import { saveChosenLanguage } from './visitorLanguage.ts';

/** Days for which a browser can resume an upload. */
const COOKIE_DAYS = 30;

/** The sender at a door's page, below `/r` or `/d`. Sets the cookie to which the page's forms and uploads are bound. */
export function identifySender(page: AstroGlobal, folder: string) {
  const { params, cookies, locals } = page;
  saveChosenLanguage(page);
  const token = params['token'] ?? '';
  const address = `/${folder}/${encodeURIComponent(token)}`;
  const given = cookies.get(SENDER_COOKIE)?.value;
  const cookie = isSenderCookie(given) ? given : randomBytes(32).toString('base64url');
  if (cookie !== given)
    cookies.set(SENDER_COOKIE, cookie, {
      path: address,
      httpOnly: true,
      sameSite: 'lax',
      secure: locals.baseUrl.startsWith('https:'),
      maxAge: COOKIE_DAYS * 24 * 60 * 60,
    });
  return { sender: { token, cookie, ip: locals.ip }, address };
}
