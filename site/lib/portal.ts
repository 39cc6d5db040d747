import { randomBytes } from 'node:crypto';
import type { AstroGlobal } from 'astro';
import { PROOF_LIFETIME_MS } from '#server/links/contract.ts';
import { PORTAL_COOKIE } from '#server/portal/contract.ts';
import { isCookie } from '#server/sharing/contract.ts';
import { saveChosenLanguage, visitorLanguage } from './visitorLanguage.ts';

/** The visitor of a client's portal. Sets the cookie to which the page's forms are bound. */
export function identifyPortalVisitor(page: AstroGlobal) {
  const { params, cookies, locals } = page;
  saveChosenLanguage(page);
  const token = params['token'] ?? '';
  const address = `/c/${encodeURIComponent(token)}`;
  const given = cookies.get(PORTAL_COOKIE)?.value;
  const cookie = isCookie(given) ? given : randomBytes(32).toString('base64url');
  if (cookie !== given)
    cookies.set(PORTAL_COOKIE, cookie, {
      path: address,
      httpOnly: true,
      sameSite: 'lax',
      secure: locals.baseUrl.startsWith('https:'),
      maxAge: PROOF_LIFETIME_MS / 1000,
    });
  return { visitor: { token, cookie, ip: locals.ip, language: visitorLanguage(page) }, address };
}
