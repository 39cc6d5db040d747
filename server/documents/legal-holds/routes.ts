import { Router } from '@koa/router';
import { read } from '#server/http/body.ts';
import { actorOf, success } from '#server/http/context.ts';
import { readId } from '#server/http/input.ts';
import * as contract from './contract.ts';
import type { Holds } from './service.ts';

export function holdRoutes({ holds }: { holds: Holds }): Router {
  const router = new Router({ prefix: '/api/clients/:id/hold' });

  router.post('/', async (ctx) => {
    const actor = actorOf(ctx);
    const id = readId(ctx.params.id, 'client');
    ctx.body = success(await holds.place(actor, id, await read(ctx, contract.placeHold)), {
      message: 'Legal hold placed.',
    });
  });

  router.post('/lift', async (ctx) => {
    const actor = actorOf(ctx);
    await holds.lift(actor, readId(ctx.params.id, 'client'), await read(ctx, contract.liftHold));
    ctx.body = success(null, { message: 'Legal hold lifted.' });
  });

  return router;
}
