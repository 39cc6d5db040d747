import * as common from '#messages/common.ts';
import { ApiError, toApiError } from './apiError.ts';
import { token } from './token.ts';

export { ApiError, messageOf } from './apiError.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type QueryValue = string | number | boolean | null | undefined;

export interface CallOptions {
  /** Null, undefined and '' are left out. */
  query?: Record<string, QueryValue>;
  signal?: AbortSignal;
  /** Lets the call outlive the page. */
  keepalive?: boolean;
  /** Calls without the stored token, as signing in must. */
  anonymous?: boolean;
}

/** A success as the server sends it; more keys may stand at the top level. */
export interface ApiResponse<T> {
  success: true;
  data: T;
  message?: string;
  [key: string]: unknown;
}

/** Hears of every 401 of a call made as somebody; the session store sets it. */
export const onUnauthenticated: { call: (error: ApiError) => void } = { call: () => {} };

const cookie = (name: string): string | undefined =>
  document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);

async function freshCsrfCookie(): Promise<void> {
  // If this fails the call that needs it fails too, and says so.
  await fetch('/sanctum/csrf-cookie', { credentials: 'same-origin' }).catch((error: unknown) => {
    // oxlint-disable-next-line no-console -- this failure is only logged
    console.warn('The XSRF cookie could not be fetched.', error);
  });
}

/** The headers that say who calls: the bearer token, else the XSRF token that unsafe calls by cookie need. */
export async function authHeaders(method: Method, asNobody = false): Promise<Record<string, string>> {
  const bearer = asNobody ? null : token.get();
  if (bearer) return { Authorization: `Bearer ${bearer}` };
  if (method === 'GET') return {};
  if (cookie('XSRF-TOKEN') === undefined) await freshCsrfCookie();
  const xsrf = cookie('XSRF-TOKEN');
  return xsrf === undefined ? {} : { 'X-XSRF-TOKEN': decodeURIComponent(xsrf) };
}

function address(path: string, query: CallOptions['query']): string {
  const pairs = Object.entries(query ?? {}).filter(
    ([, value]) => value !== null && value !== undefined && value !== '',
  );
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs.map(([k, v]) => [k, String(v)]))}`;
}

async function attempt(method: Method, path: string, body: unknown, options: CallOptions): Promise<Response> {
  const headers: Record<string, string> = {
    Accept: 'application/json',
    ...(await authHeaders(method, options.anonymous)),
  };
  // Of a form the browser writes the type itself, with the boundary between its parts.
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) headers['Content-Type'] = 'application/json';
  try {
    return await fetch(address(path, options.query), {
      method,
      headers,
      credentials: 'same-origin',
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      ...(options.signal && { signal: options.signal }),
      ...(options.keepalive && { keepalive: true }),
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new ApiError(0, 'network', common.networkError);
  }
}

/** Tries once more with a new proof where the old one was no longer good. */
async function answered(
  method: Method,
  path: string,
  body: unknown,
  options: CallOptions,
): Promise<Response> {
  const response = await attempt(method, path, body, options);
  if (response.status === 403 && (await needsProof(response)) && (await onProofNeeded.call()))
    return attempt(method, path, body, options);
  if (response.status !== 419) return response;
  await freshCsrfCookie();
  return attempt(method, path, body, options);
}

/** Asks who sits there, and says whether that was proved; the screens of who is signed in set it. */
export const onProofNeeded: { call: () => Promise<boolean> } = { call: async () => false };

async function needsProof(response: Response): Promise<boolean> {
  const said: { code?: unknown } | undefined = await response
    .clone()
    .json()
    .catch(() => undefined);
  return said?.code === 'proof_needed';
}

/** A call that answers with a file. @throws {ApiError} for every answer that is not a success. */
async function file(path: string, body: unknown): Promise<Response> {
  const response = await answered('POST', path, body, {});
  if (response.ok) return response;
  const failure = toApiError(response, await response.json().catch(() => undefined));
  if (failure.status === 401) onUnauthenticated.call(failure);
  throw failure;
}

/**
 * One call, the whole answer.
 * @throws {ApiError} for every answer that is not a success; DOMException AbortError when `signal` aborted it.
 */
async function send<T>(
  method: Method,
  path: string,
  body?: unknown,
  options: CallOptions = {},
): Promise<ApiResponse<T>> {
  const response = await answered(method, path, body, options);
  if (response.status === 204) return { success: true, data: undefined as T };
  const parsed: unknown = await response.json().catch((error: unknown) => {
    if (options.signal?.aborted) throw error;
    return undefined;
  });
  if (!response.ok) {
    const failure = toApiError(response, parsed);
    if (failure.status === 401 && !options.anonymous) onUnauthenticated.call(failure);
    throw failure;
  }
  if (typeof parsed !== 'object' || parsed === null) {
    throw new ApiError(response.status, 'unreadable', common.networkError);
  }
  return parsed as ApiResponse<T>;
}

const dataOf = <T>(answer: Promise<ApiResponse<T>>): Promise<T> => answer.then(({ data }) => data);

/** The browser's way to the server; each verb resolves to the answer's `data`, `send` to the whole answer. */
export const api = {
  send,
  file,
  get: <T>(path: string, options?: CallOptions) => dataOf(send<T>('GET', path, undefined, options)),
  post: <T>(path: string, body: unknown = {}, options?: CallOptions) =>
    dataOf(send<T>('POST', path, body, options)),
  put: <T>(path: string, body: unknown, options?: CallOptions) => dataOf(send<T>('PUT', path, body, options)),
  patch: <T>(path: string, body: unknown, options?: CallOptions) =>
    dataOf(send<T>('PATCH', path, body, options)),
  delete: <T>(path: string, options?: CallOptions) => dataOf(send<T>('DELETE', path, undefined, options)),
};
