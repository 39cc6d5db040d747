import { Router } from '@koa/router';
import { actorOf, success } from '#server/http/context.ts';
import type { Subscription } from './service.ts';
import { TRIAL_STARTED } from './service.ts';

export function subscriptionRoutes({ subscription }: { subscription: Subscription }): Router {
  const router = new Router({ prefix: '/api/subscription' });

  router.get('/plans', async (ctx) => {
    ctx.body = success(await subscription.plans());
  });

  router.get('/current', async (ctx) => {
    ctx.body = success(await subscription.current(actorOf(ctx)));
  });

  router.post('/trial/start', async (ctx) => {
    ctx.body = success(await subscription.startTrial(actorOf(ctx)), { message: TRIAL_STARTED });
  });

  return router;
}
