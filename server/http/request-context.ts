import { AsyncLocalStorage } from 'node:async_hooks';

/** What is known of the current request, for audit records and for ending it. */
export interface RequestContext {
  requestId: string;
  ip: string;
  /** The User-Agent header; missing outside of a request. */
  userAgent?: string;
  /** The user whose rights apply, by a session or by a link of that user; set once known. */
  userId?: number;
  /** The shared link through which the request came. */
  shareLinkId?: number;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `work`, and everything that it awaits, with `request` as its context. */
export const inRequest = <T>(request: RequestContext, work: () => T): T => storage.run(request, work);

/** Runs `work`, and everything that it awaits, without a context: background work that a request has only set off. */
export const outsideRequest = <T>(work: () => T): T => storage.exit(work);

/** The context of the current request; undefined in a job, a command or a service test. */
export const currentRequest = (): RequestContext | undefined => storage.getStore();
