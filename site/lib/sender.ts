import type { AstroGlobal } from 'astro';
import { SENDER_COOKIE, SENDER_COOKIE_MS } from '#server/collecting/contract.ts';
import { visitorCookie } from './visitorCookie.ts';
import { saveChosenLanguage } from './visitorLanguage.ts';

/** The sender at a door's page, below `/r` or `/d`. */
export function identifySender(page: AstroGlobal, folder: string) {
  saveChosenLanguage(page);
  const token = page.params['token'] ?? '';
  const address = `/${folder}/${encodeURIComponent(token)}`;
  const cookie = visitorCookie(page, { name: SENDER_COOKIE, path: address, maxAgeMs: SENDER_COOKIE_MS });
  return { sender: { token, cookie, ip: page.locals.ip }, address };
}
