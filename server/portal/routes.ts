import { Router } from '@koa/router';
import { read } from '#server/http/body.ts';
import { actorOf, success } from '#server/http/context.ts';
import { parse, readId } from '#server/http/input.ts';
import { makePortal, portalsQuery, sendPortal } from './contract.ts';
import type { Portal } from './service.ts';

/** What the people of a firm do with their clients' pages. */
export function portalRoutes({ portal: { office } }: { portal: Portal }): Router {
  const router = new Router({ prefix: '/api/client-pages' });

  router.get('/', async (ctx) => {
    ctx.body = success(await office.list(actorOf(ctx), parse(portalsQuery, { ...ctx.query })));
  });
  router.post('/', async (ctx) => {
    const actor = actorOf(ctx);
    ctx.status = 201;
    ctx.body = success(await office.make(actor, await read(ctx, makePortal)));
  });
  router.post('/:id/email', async (ctx) => {
    const actor = actorOf(ctx);
    const id = readId(ctx.params.id, 'page');
    ctx.body = success({ sent: await office.send(actor, id, await read(ctx, sendPortal)) });
  });
  router.post('/:id/address', async (ctx) => {
    ctx.body = success(await office.renew(actorOf(ctx), readId(ctx.params.id, 'page')));
  });
  router.delete('/:id', async (ctx) => {
    await office.revoke(actorOf(ctx), readId(ctx.params.id, 'page'));
    ctx.body = success({ done: true });
  });

  return router;
}
