import type { Context, Middleware } from 'koa';
import { isApi } from './context.ts';

const EVERYWHERE = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy':
    'accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), ' +
    'magnetometer=(), microphone=(), midi=(), usb=()',
};
const API = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};
/**
 * The policy of a page is in `astro.config.mjs`, and that of user content in `send.ts`; this default forbids framing and
 * foreign base and form targets.
 */
const PAGE = {
  'Content-Security-Policy': "frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'",
};
/** One year. Without subdomains: other services of the admin's domain may not support https. */
const HSTS = { 'Strict-Transport-Security': 'max-age=31536000' };

export function setSecurityHeaders(ctx: Context, hsts: boolean): void {
  ctx.set(EVERYWHERE);
  ctx.set(isApi(ctx.path) ? API : PAGE);
  if (hsts) ctx.set(HSTS);
}

/** Sets the headers of every response; a route may overwrite them. */
export const securityHeaders =
  (hsts: boolean): Middleware =>
  (ctx, next) => {
    setSecurityHeaders(ctx, hsts);
    return next();
  };
