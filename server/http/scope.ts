import { AsyncLocalStorage } from 'node:async_hooks';

/** Origin of the current request, for audit records. */
export interface RequestScope {
  requestId: string;
  ip: string;
  /** The User-Agent header; missing outside of a request. */
  userAgent?: string;
  /** The user whose rights apply, by a session or by a link of that user; set once known. */
  userId?: number;
  /** The shared link through which the request came. */
  shareLinkId?: number;
}

const storage = new AsyncLocalStorage<RequestScope>();

/** Runs `work`, and everything that it awaits, inside `scope`. */
export const inScope = <T>(scope: RequestScope, work: () => T): T => storage.run(scope, work);

/** The scope of the current request; undefined in a job, a command or a service test. */
export const currentScope = (): RequestScope | undefined => storage.getStore();
