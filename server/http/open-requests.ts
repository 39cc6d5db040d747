import type { ServerResponse } from 'node:http';
import type { Middleware } from 'koa';
import type { Processes } from '#server/db/processes.ts';
import { OWN_PROCESS } from '#server/db/processes.ts';
import type { RequestContext } from './request-context.ts';
import { currentRequest } from './request-context.ts';

type Whose = { userId: number } | { linkId: number };

/** The requests in progress, which can be cut off in every process that serves the vault. */
export function createOpenRequests(processes: Pick<Processes, 'publish' | 'subscribe'>) {
  const open = new Map<RequestContext, ServerResponse>();

  function cutHere(what: Whose, own?: RequestContext): void {
    for (const [request, response] of open) {
      const concerned =
        'userId' in what ? request.userId === what.userId : request.shareLinkId === what.linkId;
      if (concerned && request !== own) response.socket?.destroy();
    }
  }
  function cut(what: Whose): void {
    cutHere(what, currentRequest());
    processes.publish('cut', { ...what, from: OWN_PROCESS });
  }
  processes.subscribe('cut', ({ from, ...what }) => {
    if (from !== OWN_PROCESS) cutHere(what);
  });

  return {
    /** Must run within the request's context. */
    watch: ((ctx, next) => {
      const request = currentRequest();
      if (request) {
        open.set(request, ctx.res);
        ctx.res.once('close', () => open.delete(request));
      }
      return next();
    }) satisfies Middleware,

    /** Cuts all connections of this user except the caller's own. */
    cut: (userId: number): void => cut({ userId }),

    /** Ids of the shared links that this process is serving right now. */
    links: (): number[] => [
      ...new Set(Array.from(open.keys(), ({ shareLinkId }) => shareLinkId).filter((id) => id !== undefined)),
    ],

    /** Cuts all downloads through this shared link except the caller's own. */
    cutLink: (linkId: number): void => cut({ linkId }),
  };
}
export type OpenRequests = ReturnType<typeof createOpenRequests>;
