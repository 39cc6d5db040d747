import type { HttpResponse } from './http.ts';

/**
 * The scope of a problem. `hold`: the whole vault, nothing is tried until it responds again; `folder`: the
 * target folder; `file`: this file; `again`: nothing, just retry; `lost`: the upload, which restarts; `offset`:
 * the position in the upload; `content`: the known hash.
 */
export type Kind = 'hold' | 'folder' | 'file' | 'again' | 'lost' | 'offset' | 'content';
export type Hold = 'offline' | 'full' | 'ended' | 'refused' | 'busy' | 'certificate';

export class UploadError extends Error {
  readonly kind: Kind;
  readonly hold: Hold | undefined;
  /** Delay in ms that the vault has asked for. */
  readonly wait: number | undefined;

  constructor(kind: Kind, message: string, more: { hold?: Hold; wait?: number } = {}) {
    super(message);
    this.kind = kind;
    this.hold = more.hold;
    this.wait = more.wait;
  }
}

const hold = (hold: Hold, message: string, wait?: number): UploadError =>
  new UploadError('hold', message, { hold, ...(wait !== undefined && { wait }) });

const OFFLINE = 'The vault cannot be reached. Files wait here and go up when it is back.';
const BUSY = 'The vault has trouble of its own. Files wait here and go up when it is well again.';
const ENDED = 'This computer was disconnected from the vault. Connect it again; nothing that waits is lost.';

/** Translates an error response. */
export function refusal({ status, headers, text }: HttpResponse): UploadError {
  const { message = '', code = '', errors = {} } = parsed(text);
  const reason = message || `The vault answered with ${status}.`;
  if (status === 401) return hold('ended', ENDED);
  if (status === 429) {
    const seconds = Math.min(Math.max(Number(headers['retry-after']) || 5, 1), 600);
    return hold('busy', 'The vault asks to go slower. Files go up in a moment.', seconds * 1000);
  }
  if (code === 'quota_exceeded' || status === 507) return hold('full', reason);
  if (status === 403) return hold('refused', reason);
  if (status >= 500) return hold('busy', code === 'disk_full' ? reason : BUSY);
  if (status === 404 || status === 410) return new UploadError('lost', reason);
  if (status === 409) return new UploadError('offset', reason);
  if (code === 'wrong_content') return new UploadError('content', reason);
  if (status === 422 && ('parent_id' in errors || 'client_id' in errors))
    return new UploadError('folder', reason);
  return new UploadError('file', reason);
}

/** `UNSPECIFIED`: the issuer may not issue for this name. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME|TLS|SSL|UNSPECIFIED|INVALID_(?:CA|PURPOSE)/;

/** Translates a network error; returns any other error unchanged. */
export function disconnection(error: unknown): unknown {
  if (error instanceof UploadError) return error;
  const { code = '', message = '', name = '' } = error as NodeJS.ErrnoException;
  if (name === 'AbortError') return error;
  if (code === 'CERT_NOT_YET_VALID' || code === 'CERT_HAS_EXPIRED')
    return hold(
      'certificate',
      `The vault's certificate is out of date, or the clock of this computer is wrong (it says ${new Date().toDateString()}). Nothing is sent until this is put right.`,
    );
  if (CERTIFICATE.test(code))
    return hold(
      'certificate',
      `The vault's certificate is not trusted on this computer (${code}). Nothing is sent to it until it is. Ask whoever runs the vault.`,
    );
  return /^(?:E[A-Z_]+|HPE_.*)$/.test(code) || /does not answer|socket hang up|aborted/.test(message)
    ? hold('offline', OFFLINE)
    : error;
}

export function parsed(text: string): {
  message?: string;
  code?: string;
  errors?: Record<string, string[]>;
  data?: unknown;
} {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
