import type { AstroGlobal } from 'astro';
import { PROOF_LIFETIME_MS } from '#server/links/contract.ts';
import { PORTAL_COOKIE } from '#server/portal/contract.ts';
import { visitorCookie } from './visitorCookie.ts';
import { saveChosenLanguage, visitorLanguage } from './visitorLanguage.ts';

/** The visitor of a client's portal. Sets the language of the page. */
export async function identifyPortalVisitor(page: AstroGlobal) {
  saveChosenLanguage(page);
  const token = page.params['token'] ?? '';
  const address = `/c/${encodeURIComponent(token)}`;
  const cookie = visitorCookie(page, { name: PORTAL_COOKIE, path: address, maxAgeMs: PROOF_LIFETIME_MS });
  page.locals.clientLanguage = await page.locals.services.portal.visitors.clientLanguage(token);
  return { visitor: { token, cookie, ip: page.locals.ip, language: visitorLanguage(page) }, address };
}
