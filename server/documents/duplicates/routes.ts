import { Router } from '@koa/router';
import { actorOf, success } from '#server/http/context.ts';
import { parse } from '#server/http/input.ts';
import { duplicatesQuery } from './contract.ts';
import type { Duplicates } from './service.ts';

export function duplicateRoutes({ duplicates }: { duplicates: Duplicates }): Router {
  const router = new Router({ prefix: '/api/documents/duplicates' });

  router.get('/', async (ctx) => {
    const { cursor } = parse(duplicatesQuery, { ...ctx.query });
    ctx.body = success(await duplicates.list(actorOf(ctx), cursor));
  });

  return router;
}
