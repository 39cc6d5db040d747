import { Router } from '@koa/router';
import { actorOf, success } from '#server/http/context.ts';
import { readId } from '#server/http/input.ts';
import type { System } from './service.ts';

export function systemRoutes({ system }: { system: System }): Router {
  const router = new Router({ prefix: '/api/system' });

  router.get('/', async (ctx) => {
    ctx.body = success(await system.view(actorOf(ctx)));
  });

  router.post('/emails/:id/send-again', async (ctx) => {
    const actor = actorOf(ctx);
    await system.sendAgain(actor, readId(ctx.params.id, 'e-mail'));
    ctx.body = success(await system.view(actor));
  });

  return router;
}
