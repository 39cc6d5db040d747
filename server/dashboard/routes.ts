import { Router } from '@koa/router';
import { actorOf, success } from '#server/http/context.ts';
import { parse } from '#server/http/input.ts';
import { RECENT_SHOWN, recentQuery } from './contract.ts';
import type { Dashboard } from './service.ts';

export function dashboardRoutes({ dashboard }: { dashboard: Dashboard }): Router {
  const router = new Router({ prefix: '/api/dashboard' });

  router.get('/stats', async (ctx) => {
    ctx.body = success(await dashboard.stats(actorOf(ctx)));
  });

  router.get('/recent-files', async (ctx) => {
    const actor = actorOf(ctx);
    const { limit } = parse(recentQuery, { ...ctx.query });
    ctx.body = success(await dashboard.recentFiles(actor, limit));
  });

  router.get('/newest-files', async (ctx) => {
    const actor = actorOf(ctx);
    const { limit = RECENT_SHOWN } = parse(recentQuery, { ...ctx.query });
    ctx.body = success(await dashboard.newestFiles(actor, limit));
  });

  router.get('/storage-breakdown', async (ctx) => {
    ctx.body = success(await dashboard.storageBreakdown(actorOf(ctx)));
  });

  router.get('/largest-files', async (ctx) => {
    ctx.body = success(await dashboard.largestFiles(actorOf(ctx)));
  });

  router.get('/untouched-files', async (ctx) => {
    ctx.body = success(await dashboard.untouchedFiles(actorOf(ctx)));
  });

  return router;
}
