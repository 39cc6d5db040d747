import * as common from '#messages/common.ts';
/** Field name to its messages, as the server's 422 gives them. */
export type FieldMessages = Record<string, string[]>;

/** A call that did not succeed. `message` is fit to be shown as it stands. */
export class ApiError extends Error {
  override name = 'ApiError';
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** The server's stable word for it; `network` without an answer, `unreadable` for one that made no sense. */
  readonly code: string;
  readonly errors: FieldMessages | undefined;
  readonly requestId: string | undefined;
  /** Seconds, from Retry-After. */
  readonly retryAfter: number | undefined;
  /** Whether `message` says what is the matter, and not only the number of the status. */
  readonly hasServerMessage: boolean;

  constructor(
    status: number,
    code: string,
    message: string,
    extra: { errors?: FieldMessages; requestId?: string; retryAfter?: number; hasWords?: boolean } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = extra.errors;
    this.requestId = extra.requestId;
    this.retryAfter = extra.retryAfter;
    this.hasServerMessage = extra.hasWords ?? true;
  }
}

interface FailureBody {
  message?: unknown;
  errors?: FieldMessages;
  code?: unknown;
  request_id?: unknown;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The failure a response and its parsed body stand for. */
export function toApiError(response: Response, body: unknown): ApiError {
  const { message, errors, code, request_id }: FailureBody = typeof body === 'object' && body ? body : {};
  const seconds = Number(response.headers.get('Retry-After'));
  const requestId = text(request_id) ?? response.headers.get('X-Request-Id') ?? undefined;
  return new ApiError(
    response.status,
    text(code) ?? `http_${response.status}`,
    text(message) ?? common.httpError(response.status),
    {
      hasWords: text(message) !== undefined,
      ...(errors && { errors }),
      ...(requestId && { requestId }),
      ...(seconds > 0 && { retryAfter: seconds }),
    },
  );
}

/** The text of any thrown thing, for an alert; without an answer, with the reason why there is none. */
export function messageOf(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback;
  if (error.status !== 0) return error.message;
  if (error.code !== 'network') return fallback;
  return `${fallback.replace(/[.:]$/, '')}. ${navigator.onLine === false ? common.offline : common.noAnswer}`;
}
