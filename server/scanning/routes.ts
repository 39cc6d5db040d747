import { Router } from '@koa/router';
import { read } from '#server/http/body.ts';
import { actorOf, success } from '#server/http/context.ts';
import { decision } from './contract.ts';
import type { Scanning } from './service.ts';

export function scanningRoutes({ scanning }: { scanning: Scanning }): Router {
  const router = new Router({ prefix: '/api/quarantine' });

  router.get('/', async (ctx) => {
    ctx.body = success(await scanning.list(actorOf(ctx)));
  });

  router.post('/:id/release', async (ctx) => {
    const actor = actorOf(ctx);
    await scanning.release(actor, String(ctx.params.id), await read(ctx, decision));
    ctx.body = success(await scanning.list(actor));
  });

  router.post('/:id/delete', async (ctx) => {
    const actor = actorOf(ctx);
    await scanning.remove(actor, String(ctx.params.id), await read(ctx, decision));
    ctx.body = success(await scanning.list(actor));
  });

  return router;
}
