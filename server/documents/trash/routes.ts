import { Router } from '@koa/router';
import { read } from '#server/http/body.ts';
import { actorOf, success } from '#server/http/context.ts';
import { parse } from '#server/http/input.ts';
import * as contract from './contract.ts';
import type { Trash } from './service.ts';

export function trashRoutes({ trash }: { trash: Trash }): Router {
  const router = new Router({ prefix: '/api/trash' });

  router.get('/', async (ctx) => {
    const actor = actorOf(ctx);
    ctx.body = success(await trash.list(actor, parse(contract.trashQuery, { ...ctx.query })));
  });

  router.post('/restore', async (ctx) => {
    ctx.body = success(await trash.restore(actorOf(ctx), await read(ctx, contract.restoreItems)));
  });

  router.post('/delete', async (ctx) => {
    const actor = actorOf(ctx);
    const { ids } = await read(ctx, contract.deleteForever);
    ctx.body = success(await trash.remove(actor, ids));
  });

  router.post('/delete/preview', async (ctx) => {
    const actor = actorOf(ctx);
    const { ids } = await read(ctx, contract.previewForever);
    ctx.body = success(await trash.preview(actor, ids));
  });

  router.post('/empty', async (ctx) => {
    const result = await trash.empty(actorOf(ctx));
    const message =
      result.kept > 0
        ? 'Trash is empty but for what a legal hold or a retention rule keeps.'
        : 'Trash is empty.';
    ctx.body = success(result, { message });
  });

  return router;
}
