import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { isApi } from './context.ts';
import type { RequestState } from './context.ts';
import { drain } from './drain.ts';
import { AppError } from './errors.ts';
import { setSecurityHeaders } from './headers.ts';
import { storageFailure } from './storage-failure.ts';

const FAULT =
  'Something went wrong on our side. Try again; if it happens again, tell your admin the request id.';

/** Failures that concern the administrator although they may pass. */
const LOGGED = new Set(['disk_failing', 'too_many_files']);

const KEPT = new Set(['x-request-id', 'set-cookie', 'allow']);

/** Koa and the router throw errors of their own for a bad request, such as a path that is not UTF-8. */
function toAppError(thrown: unknown): AppError | undefined {
  const error = storageFailure(thrown);
  if (error instanceof AppError) return error;
  const { status, expose } = (error ?? {}) as { status?: unknown; expose?: unknown };
  if (expose !== true || typeof status !== 'number' || status < 400 || status > 499) return undefined;
  return new AppError(status, 'bad_request', 'The request could not be read.');
}

/**
 * Turns every thrown error into the error response `{ success, message, errors?, code, request_id }`; a fault becomes a redirect where a
 * page says it.
 */
export function handleErrors(log: Logger, hsts: boolean): Middleware {
  function reply(ctx: Context, error: AppError): void {
    for (const name of ctx.res.getHeaderNames()) if (!KEPT.has(name)) ctx.remove(name);
    setSecurityHeaders(ctx, hsts);
    const { requestId, faultPage } = ctx.state as RequestState;
    if (faultPage !== undefined && error.status >= 500) {
      ctx.status = 303;
      ctx.set({ Location: faultPage, 'Cache-Control': 'no-store' });
      return drain(ctx.req);
    }
    if (error.retryAfter !== undefined) ctx.set('Retry-After', String(error.retryAfter));
    ctx.status = error.status;
    ctx.set('Cache-Control', 'no-store');
    ctx.body =
      isApi(ctx.path) || !ctx.accepts('html')
        ? {
            success: false,
            message: error.message,
            ...(error.errors && { errors: error.errors }),
            code: error.code,
            request_id: requestId,
          }
        : `${error.message}\n\nRequest id: ${requestId}\n`;
    return drain(ctx.req);
  }

  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const ours = toAppError(error);
      const { requestId } = ctx.state as RequestState;
      if (ctx.req.socket.destroyed) {
        // The client has disconnected, which most likely caused the error.
        if (!ours) log.info({ err: error, request_id: requestId }, 'request given up');
        ctx.respond = false;
        return;
      }
      // A full disk is logged once, by `datadir/disk-reserve.ts`.
      if (!ours || ours.status === 500 || LOGGED.has(ours.code))
        log.error({ err: error, request_id: requestId }, 'request failed');
      if (ctx.headerSent) {
        // The headers are sent. Cutting the connection keeps the client from taking the response for complete.
        ctx.respond = false;
        ctx.res.destroy();
        return;
      }
      reply(ctx, ours ?? new AppError(500, 'internal', FAULT));
    }
  };
}
