import { Router } from '@koa/router';
import { actorOf, answer } from '#server/http/context.ts';
import { parse } from '#server/http/input.ts';
import { auditQuery } from './contract.ts';
import type { Audit } from './service.ts';

export function auditRoutes(audit: Audit): Router {
  const router = new Router({ prefix: '/api/audit' });

  router.get('/', async (ctx) => {
    ctx.body = answer(await audit.list(actorOf(ctx), parse(auditQuery, { ...ctx.query })));
  });

  return router;
}
