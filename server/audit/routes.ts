import { Router } from '@koa/router';
import { actorOf, success } from '#server/http/context.ts';
import { parse } from '#server/http/input.ts';
import { sendGenerated } from '#server/http/send.ts';
import { auditFilters, auditQuery } from './contract.ts';
import type { Audit } from './service.ts';

export function auditRoutes(audit: Audit): Router {
  const router = new Router({ prefix: '/api/audit' });

  router.get('/', async (ctx) => {
    ctx.body = success(await audit.list(actorOf(ctx), parse(auditQuery, { ...ctx.query })));
  });

  router.get('/export', async (ctx) => {
    const actor = actorOf(ctx);
    const filters = parse(auditFilters, { ...ctx.query });
    await sendGenerated(ctx, await audit.export(actor, filters, { sending: ctx.method === 'GET' }));
  });

  return router;
}
