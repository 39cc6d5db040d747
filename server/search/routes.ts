import { Router } from '@koa/router';
import { actorOf, success } from '#server/http/context.ts';
import { parse } from '#server/http/input.ts';
import { insideQuery, peopleQuery, searchQuery } from './contract.ts';
import type { Search } from './service.ts';

export function searchRoutes({ search }: { search: Search }): Router {
  const router = new Router({ prefix: '/api/documents/search' });

  router.get('/', async (ctx) => {
    const { query, limit, ...within } = parse(searchQuery, { ...ctx.query });
    const { items, ...rest } = await search.find(actorOf(ctx), query, limit, within);
    ctx.body = success(items, rest);
  });

  router.get('/inside', async (ctx) => {
    const { query, limit, folder } = parse(insideQuery, { ...ctx.query });
    ctx.body = success(await search.findInside(actorOf(ctx), query, limit, folder));
  });

  router.get('/people', async (ctx) => {
    const { search: text } = parse(peopleQuery, { ...ctx.query });
    ctx.body = success(await search.people(actorOf(ctx), text));
  });

  return router;
}
