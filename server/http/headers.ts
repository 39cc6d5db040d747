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
/** A page brings its own policy; without one it may not be framed, and its base and forms stay at home. */
const PAGE = {
  'Content-Security-Policy': "frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'",
};
/** One year. Not for subdomains: what else the admin runs beside us is not ours to decide. */
const HSTS = { 'Strict-Transport-Security': 'max-age=31536000' };

export function setSecurityHeaders(ctx: Context, hsts: boolean): void {
  ctx.set(EVERYWHERE);
  ctx.set(isApi(ctx.path) ? API : PAGE);
  if (hsts) ctx.set(HSTS);
}

/** Sets what every answer carries; a route that knows better overwrites it. */
export const securityHeaders =
  (hsts: boolean): Middleware =>
  (ctx, next) => {
    setSecurityHeaders(ctx, hsts);
    return next();
  };
