import { Router } from '@koa/router';
import { read } from '#server/http/body.ts';
import { actorOf, success } from '#server/http/context.ts';
import { readId } from '#server/http/input.ts';
import { sumsQuery } from './contract.ts';
import type { Details } from './service.ts';

export function detailsRoutes({ details }: { details: Details }): Router {
  const router = new Router({ prefix: '/api/documents' });

  router.get('/:id/details', async (ctx) => {
    ctx.body = success(await details.of(actorOf(ctx), readId(ctx.params.id, 'item')));
  });

  // A POST although it changes nothing: up to 20,000 ids do not fit into a URL.
  router.post('/sums', async (ctx) => {
    const actor = actorOf(ctx);
    const { ids } = await read(ctx, sumsQuery);
    ctx.body = success(await details.sums(actor, ids));
  });

  return router;
}
