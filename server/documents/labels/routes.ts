import { Router } from '@koa/router';
import { read } from '#server/http/body.ts';
import { actorOf, success } from '#server/http/context.ts';
import { readId } from '#server/http/input.ts';
import { labelChange, labelInput, labelItems } from './contract.ts';
import type { Labels } from './service.ts';

export function labelRoutes({ labels }: { labels: Labels }): Router {
  const router = new Router({ prefix: '/api' });

  router.get('/labels', async (ctx) => {
    ctx.body = success(await labels.list(actorOf(ctx)));
  });

  router.post('/labels', async (ctx) => {
    const label = await labels.create(actorOf(ctx), await read(ctx, labelInput));
    ctx.status = 201;
    ctx.body = success(label, { message: 'Label created.' });
  });

  router.patch('/labels/:id', async (ctx) => {
    const actor = actorOf(ctx);
    const id = readId(ctx.params.id, 'label');
    ctx.body = success(await labels.update(actor, id, await read(ctx, labelChange)), {
      message: 'Label saved.',
    });
  });

  router.delete('/labels/:id', async (ctx) => {
    await labels.remove(actorOf(ctx), readId(ctx.params.id, 'label'));
    ctx.body = success(null, { message: 'Label deleted.' });
  });

  router.post('/documents/labels', async (ctx) => {
    ctx.body = success(await labels.put(actorOf(ctx), await read(ctx, labelItems)));
  });

  return router;
}
