import * as common from '#messages/common.ts';
/** Error messages by field name, from a 422 response. */
export type FieldMessages = Record<string, string[]>;

/** A failed API call. `message` can be shown to the user unchanged. */
export class ApiError extends Error {
  override name = 'ApiError';
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** The server's stable error code; `network` without a response, `unreadable` for a body that is not JSON. */
  readonly code: string;
  readonly errors: FieldMessages | undefined;
  readonly requestId: string | undefined;
  /** Seconds, from Retry-After. */
  readonly retryAfter: number | undefined;
  /** Whether the server sent `message`; else it is a generic text for the HTTP status. */
  readonly hasServerMessage: boolean;

  constructor(
    status: number,
    code: string,
    message: string,
    extra: { errors?: FieldMessages; requestId?: string; retryAfter?: number; hasMessage?: boolean } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = extra.errors;
    this.requestId = extra.requestId;
    this.retryAfter = extra.retryAfter;
    this.hasServerMessage = extra.hasMessage ?? true;
  }
}

/** Errors at fields that a form finds by itself, as the server would report them. */
export const invalid = (errors: FieldMessages): ApiError =>
  new ApiError(422, 'invalid', Object.values(errors).flat().join(' '), { errors });

interface FailureBody {
  message?: unknown;
  errors?: FieldMessages;
  code?: unknown;
  request_id?: unknown;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Builds the error for an unsuccessful response and its parsed body. */
export function toApiError(response: Response, body: unknown): ApiError {
  const { message, errors, code, request_id }: FailureBody = typeof body === 'object' && body ? body : {};
  const seconds = Number(response.headers.get('Retry-After'));
  const requestId = text(request_id) ?? response.headers.get('X-Request-Id') ?? undefined;
  return new ApiError(
    response.status,
    text(code) ?? `http_${response.status}`,
    text(message) ?? common.httpError(response.status),
    {
      hasMessage: text(message) !== undefined,
      ...(errors && { errors }),
      ...(requestId && { requestId }),
      ...(seconds > 0 && { retryAfter: seconds }),
    },
  );
}

/** The text of any thrown value for an alert; without a response, `fallback` and whether the browser is offline. */
export function messageOf(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback;
  if (error.status !== 0) return error.message;
  if (error.code !== 'network') return fallback;
  return `${fallback.replace(/[.:]$/, '')}. ${navigator.onLine === false ? common.offline : common.noAnswer}`;
}
