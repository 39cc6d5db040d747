import { Router } from '@koa/router';
import { read } from '#server/http/body.ts';
import { actorOf, success } from '#server/http/context.ts';
import { appliedText, application, templateChange, templateInput } from './contract.ts';
import type { Templates } from './service.ts';

export function templateRoutes({ templates }: { templates: Templates }): Router {
  const router = new Router({ prefix: '/api/templates' });

  router.get('/', async (ctx) => {
    ctx.body = success(await templates.list(actorOf(ctx)));
  });

  router.post('/', async (ctx) => {
    const template = await templates.create(actorOf(ctx), await read(ctx, templateInput));
    ctx.status = 201;
    ctx.body = success(template, { message: 'Template saved.' });
  });

  router.put('/:id', async (ctx) => {
    const actor = actorOf(ctx);
    const template = await templates.update(actor, ctx.params.id!, await read(ctx, templateChange));
    ctx.body = success(template, { message: 'Template saved.' });
  });

  router.delete('/:id', async (ctx) => {
    await templates.remove(actorOf(ctx), ctx.params.id!);
    ctx.body = success(null, { message: 'Template deleted.' });
  });

  router.post('/:id/preview', async (ctx) => {
    const actor = actorOf(ctx);
    ctx.body = success(await templates.preview(actor, ctx.params.id!, await read(ctx, application)));
  });

  router.post('/:id/apply', async (ctx) => {
    const actor = actorOf(ctx);
    const done = await templates.apply(actor, ctx.params.id!, await read(ctx, application));
    ctx.body = success(done, { message: appliedText(done) });
  });

  return router;
}
