import { Router } from '@koa/router';
import { rawBody, read } from '#server/http/body.ts';
import { actorOf, success } from '#server/http/context.ts';
import { readId } from '#server/http/input.ts';
import { ACTIVATED, orderRequest, verification } from './contract.ts';
import type { Payments } from './service.ts';

/** Signed by the gateway itself, so it carries no CSRF token. */
export const WEBHOOK = '/api/subscription/webhook';

export function paymentRoutes(payments: Payments): Router {
  const router = new Router();

  router.post('/api/subscription/order', async (ctx) => {
    const actor = actorOf(ctx);
    const order = await payments.order(actor, await read(ctx, orderRequest));
    ctx.body = success(order, { ...order });
  });

  router.get('/api/subscription/order/:id', async (ctx) => {
    ctx.body = success(await payments.orderState(actorOf(ctx), readId(ctx.params.id, 'order')));
  });

  router.post('/api/subscription/verify-payment', async (ctx) => {
    const actor = actorOf(ctx);
    await payments.verify(actor, await read(ctx, verification));
    ctx.body = success(null, { message: ACTIVATED });
  });

  router.post('/api/subscription/check-payments', async (ctx) => {
    ctx.body = success(await payments.check(actorOf(ctx)));
  });

  router.get('/api/subscription/payments', async (ctx) => {
    ctx.body = success(await payments.history(actorOf(ctx)));
  });

  router.post(WEBHOOK, async (ctx) => {
    await payments.receiveEvent(await rawBody(ctx), {
      signature: ctx.get('x-razorpay-signature'),
      eventId: ctx.get('x-razorpay-event-id'),
    });
    ctx.body = success(null);
  });

  return router;
}
