import { Router } from '@koa/router';
import { read } from '#server/http/body.ts';
import { actorOf, answer } from '#server/http/context.ts';
import { clientInput } from './contract.ts';
import type { Clients } from './service.ts';

export function clientRoutes({ clients }: { clients: Clients }): Router {
  const router = new Router({ prefix: '/api/clients' });

  router.get('/', async (ctx) => {
    const data = await clients.list(actorOf(ctx));
    ctx.body = answer({ data, total: data.length });
  });

  router.get('/options', async (ctx) => {
    ctx.body = answer(await clients.options(actorOf(ctx)));
  });

  router.post('/', async (ctx) => {
    const client = await clients.create(actorOf(ctx), await read(ctx, clientInput));
    ctx.status = 201;
    ctx.body = answer(client, { message: 'Client created.' });
  });

  return router;
}
