import type { Context } from 'koa';
import { isUnsupported } from '#server/documents/contract.ts';
import { AppError } from '#server/http/errors.ts';
import { XML_HEAD, escapeXml } from './xml.ts';

/** An error with the precondition element that the protocol defines for it: `<d:propfind-finite-depth/>`. */
export class DavError extends AppError {
  override name = 'DavError';
  readonly condition: string;

  constructor(status: number, code: string, condition: string, message: string) {
    super(status, code, message);
    this.condition = condition;
  }
}

export const preconditionFailed = (message: string): AppError =>
  new AppError(412, 'precondition_failed', message);

/** The status that WebDAV clients expect for the error. */
function statusOf({ status, code, errors = {} }: AppError): number {
  if (code === 'quota_exceeded' || code === 'disk_full') return 507;
  if (status !== 422) return status;
  const isType = Object.values(errors).some(([message = '']) => isUnsupported(message));
  return isType ? 415 : 403;
}

/** Responds with the status and, for programs that show it, the message. */
export function sendError(ctx: Context, error: AppError): void {
  const status = statusOf(error);
  const condition =
    error instanceof DavError ? error.condition : status === 507 ? '<d:quota-not-exceeded/>' : '';
  ctx.status = status;
  if (error.retryAfter !== undefined) ctx.set('Retry-After', String(error.retryAfter));
  ctx.set('Content-Type', 'application/xml; charset=utf-8');
  ctx.body =
    `${XML_HEAD}<d:error xmlns:d="DAV:" xmlns:a="urn:almirah">${condition}` +
    `<a:message>${escapeXml(error.message)}</a:message><a:code>${escapeXml(error.code)}</a:code></d:error>\n`;
}
