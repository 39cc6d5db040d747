import { Router } from '@koa/router';
import { read } from '#server/http/body.ts';
import { actorOf, success } from '#server/http/context.ts';
import { parse, readId } from '#server/http/input.ts';
import * as contract from './contract.ts';
import type { Seals } from './service.ts';

export function sealRoutes({ seals }: { seals: Seals }): Router {
  const router = new Router({ prefix: '/api/documents/:id/seal' });
  const idOf = (params: { id?: string }) => readId(params.id, 'item');

  router.get('/', async (ctx) => {
    const { check = false } = parse(contract.sealQuery, { ...ctx.query });
    ctx.body = success(await seals.state(actorOf(ctx), idOf(ctx.params), { check }));
  });

  router.post('/', async (ctx) => {
    const actor = actorOf(ctx);
    ctx.body = success(await seals.seal(actor, idOf(ctx.params), await read(ctx, contract.sealItem)), {
      message: 'Sealed.',
    });
  });

  router.post('/break', async (ctx) => {
    const actor = actorOf(ctx);
    ctx.body = success(await seals.break(actor, idOf(ctx.params), await read(ctx, contract.breakSeal)), {
      message: 'Seal broken.',
    });
  });

  return router;
}
