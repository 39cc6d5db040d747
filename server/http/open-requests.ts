import type { ServerResponse } from 'node:http';
import type { Middleware } from 'koa';
import type { RequestScope } from './scope.ts';
import { currentScope } from './scope.ts';

/** The requests that are being answered, so that they can be cut short. */
export function createOpenRequests() {
  const open = new Map<RequestScope, ServerResponse>();

  return {
    /** To run inside the request's scope. */
    watch: ((ctx, next) => {
      const scope = currentScope();
      if (scope) {
        open.set(scope, ctx.res);
        ctx.res.once('close', () => open.delete(scope));
      }
      return next();
    }) satisfies Middleware,

    /** Cuts every connection that is answered with the rights of this user, except that of the caller. */
    cut(userId: number): void {
      const own = currentScope();
      for (const [scope, response] of open)
        if (scope.userId === userId && scope !== own) response.socket?.destroy();
    },

    /** Ids of the shared links by which something is being answered. */
    links: (): number[] => [
      ...new Set(Array.from(open.keys(), ({ shareLinkId }) => shareLinkId).filter((id) => id !== undefined)),
    ],

    /** Cuts every download under way by a shared link. */
    cutLink(linkId: number): void {
      for (const [scope, response] of open) if (scope.shareLinkId === linkId) response.socket?.destroy();
    },
  };
}
export type OpenRequests = ReturnType<typeof createOpenRequests>;
