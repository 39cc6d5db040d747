import { Router } from '@koa/router';
import { read } from '#server/http/body.ts';
import { actorOf, success } from '#server/http/context.ts';
import { parse, readId } from '#server/http/input.ts';
import * as contract from './contract.ts';
import type { Destructions } from './destructions.ts';
import type { Retention } from './service.ts';

interface RetentionServices {
  retention: Retention;
  destructions: Destructions;
}

export function retentionRoutes({ retention, destructions }: RetentionServices): Router {
  const router = new Router();
  const ruleOf = (params: { id?: string }) => readId(params.id, 'rule');
  const itemOf = (params: { id?: string }) => readId(params.id, 'item');

  router.get('/api/retention', async (ctx) => {
    ctx.body = success(await retention.overview(actorOf(ctx)));
  });

  router.get('/api/retention/files', async (ctx) => {
    const actor = actorOf(ctx);
    ctx.body = success(await retention.files(actor, parse(contract.keptQuery, { ...ctx.query })));
  });

  router.post('/api/retention/rules/reach', async (ctx) => {
    const actor = actorOf(ctx);
    ctx.body = success(await retention.reach(actor, await read(ctx, contract.ruleInput)));
  });

  router.post('/api/retention/rules', async (ctx) => {
    const actor = actorOf(ctx);
    ctx.body = success(await retention.add(actor, await read(ctx, contract.ruleInput)), {
      message: 'Rule added.',
    });
  });

  router.put('/api/retention/rules/:id', async (ctx) => {
    const actor = actorOf(ctx);
    const id = ruleOf(ctx.params);
    ctx.body = success(await retention.change(actor, id, await read(ctx, contract.ruleInput)), {
      message: 'Rule changed.',
    });
  });

  router.post('/api/retention/rules/:id/remove', async (ctx) => {
    const actor = actorOf(ctx);
    await retention.remove(actor, ruleOf(ctx.params), await read(ctx, contract.removeRule));
    ctx.body = success(null, { message: 'Rule removed.' });
  });

  router.get('/api/retention/destructions', async (ctx) => {
    const actor = actorOf(ctx);
    ctx.body = success(await destructions.list(actor, parse(contract.destructionsQuery, { ...ctx.query })));
  });

  router.post('/api/retention/destructions', async (ctx) => {
    const actor = actorOf(ctx);
    const confirmed = await destructions.confirm(actor, await read(ctx, contract.confirmDestruction));
    ctx.body = success(confirmed, { message: 'Destruction confirmed.' });
  });

  router.get('/api/retention/destructions/:id/certificate', async (ctx) => {
    const id = readId(ctx.params.id, 'certificate');
    const { name, pdf } = await destructions.certificate(actorOf(ctx), id);
    ctx.type = 'application/pdf';
    ctx.set('Content-Disposition', `attachment; filename="${name}"`);
    ctx.body = pdf;
  });

  router.get('/api/documents/:id/retention', async (ctx) => {
    ctx.body = success(await retention.of(actorOf(ctx), itemOf(ctx.params)));
  });

  router.patch('/api/documents/:id/retention', async (ctx) => {
    const actor = actorOf(ctx);
    ctx.body = success(await retention.mark(actor, itemOf(ctx.params), await read(ctx, contract.markItem)));
  });

  return router;
}
