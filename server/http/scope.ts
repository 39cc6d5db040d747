import { AsyncLocalStorage } from 'node:async_hooks';

/** Where a request comes from, for whoever keeps a record of it. */
export interface RequestScope {
  requestId: string;
  ip: string;
  /** What the browser says it is; left out where nobody asks. */
  userAgent?: string;
  /** Whose rights it is answered with, once that is known: by a session or by a link of one. */
  userId?: number;
  /** The shared link by which it was asked for. */
  shareLinkId?: number;
}

const storage = new AsyncLocalStorage<RequestScope>();

/** Runs `work`, and all that it awaits, inside `scope`. */
export const inScope = <T>(scope: RequestScope, work: () => T): T => storage.run(scope, work);

/** The request that the caller is working for; undefined in a job, a tool or a test of a service. */
export const currentScope = (): RequestScope | undefined => storage.getStore();
