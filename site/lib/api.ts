import * as common from '#messages/common.ts';
import { ApiError, toApiError } from './apiError.ts';
import { token } from './token.ts';

export { ApiError, messageOf } from './apiError.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type QueryValue = string | number | boolean | null | undefined;

interface CallOptions {
  /** Entries whose value is null, undefined or '' are omitted. */
  query?: Record<string, QueryValue>;
  signal?: AbortSignal;
  /** Lets the call outlive the page. */
  keepalive?: boolean;
  /** Calls without the stored token; needed for signing in. */
  anonymous?: boolean;
  /** Calls with the stored token whoever it belongs to; needed for finding that out. */
  unchecked?: boolean;
}

/** The body of a successful response; some routes add further top-level keys. */
interface ApiResponse<T> {
  success: true;
  data: T;
  message?: string;
  [key: string]: unknown;
}

/** Called for every 401 of an authenticated call. The session store sets the handler. */
export const onUnauthenticated: { call: (error: ApiError) => void } = { call: () => {} };

const cookie = (name: string): string | undefined =>
  document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);

async function fetchCsrfCookie(): Promise<void> {
  // A failure here also fails the call that needs the cookie, and that call reports it.
  await fetch('/sanctum/csrf-cookie', { credentials: 'same-origin' }).catch((error: unknown) => {
    // oxlint-disable-next-line no-console -- this failure is only logged
    console.warn('The XSRF cookie could not be fetched.', error);
  });
}

/** Awaited before every authenticated call, which may have to wait. The session store sets it. */
export const beforeCall: { call: () => Promise<void> } = { call: async () => {} };

/** Authentication headers: the bearer token, else the XSRF token that unsafe methods need with a session cookie. */
export async function authHeaders(method: Method): Promise<Record<string, string>> {
  await beforeCall.call();
  return headersFor(method, token.get());
}

async function headersFor(method: Method, bearer: string | null): Promise<Record<string, string>> {
  if (bearer) return { Authorization: `Bearer ${bearer}` };
  if (method === 'GET') return {};
  if (cookie('XSRF-TOKEN') === undefined) await fetchCsrfCookie();
  const xsrf = cookie('XSRF-TOKEN');
  return xsrf === undefined ? {} : { 'X-XSRF-TOKEN': decodeURIComponent(xsrf) };
}

function withQuery(path: string, query: CallOptions['query']): string {
  const pairs = Object.entries(query ?? {}).filter(
    ([, value]) => value !== null && value !== undefined && value !== '',
  );
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs.map(([k, v]) => [k, String(v)]))}`;
}

async function fetchOnce(
  method: Method,
  path: string,
  body: unknown,
  options: CallOptions,
): Promise<Response> {
  const { anonymous, unchecked } = options;
  const headers: Record<string, string> = {
    Accept: 'application/json',
    ...(await (anonymous || unchecked
      ? headersFor(method, anonymous ? null : token.get())
      : authHeaders(method))),
  };
  // For FormData the browser sets the Content-Type itself, including the multipart boundary.
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) headers['Content-Type'] = 'application/json';
  try {
    return await fetch(withQuery(path, options.query), {
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

/** Repeats the call once after a step-up authentication (403) or with a new XSRF cookie (419). */
async function fetchWithRetry(
  method: Method,
  path: string,
  body: unknown,
  options: CallOptions,
): Promise<Response> {
  const response = await fetchOnce(method, path, body, options);
  if (response.status === 403 && (await needsProof(response)) && (await onProofNeeded.call()))
    return fetchOnce(method, path, body, options);
  if (response.status !== 419) return response;
  await fetchCsrfCookie();
  return fetchOnce(method, path, body, options);
}

/** Asks the user to authenticate again; resolves to whether they did. The signed-in screens set the handler. */
export const onProofNeeded: { call: () => Promise<boolean> } = { call: async () => false };

async function needsProof(response: Response): Promise<boolean> {
  const body: { code?: unknown } | undefined = await response
    .clone()
    .json()
    .catch(() => undefined);
  return body?.code === 'proof_needed';
}

/** A POST whose response is a file. @throws {ApiError} for every unsuccessful response. */
async function file(path: string, body: unknown): Promise<Response> {
  const response = await fetchWithRetry('POST', path, body, {});
  if (response.ok) return response;
  const failure = toApiError(response, await response.json().catch(() => undefined));
  if (failure.status === 401) onUnauthenticated.call(failure);
  throw failure;
}

/**
 * Makes one call and returns the complete response body.
 * @throws {ApiError} for every unsuccessful response; DOMException AbortError when `signal` aborted the call.
 */
async function send<T>(
  method: Method,
  path: string,
  body?: unknown,
  options: CallOptions = {},
): Promise<ApiResponse<T>> {
  const response = await fetchWithRetry(method, path, body, options);
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

const dataOf = <T>(response: Promise<ApiResponse<T>>): Promise<T> => response.then(({ data }) => data);

/** The browser's API client. Each verb resolves to the response's `data`, `send` to the complete body. */
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
