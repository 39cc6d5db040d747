import { Router } from '@koa/router';
import { read } from '#server/http/body.ts';
import { actorOf, success } from '#server/http/context.ts';
import { requireRecentProof } from '#server/http/recent-proof.ts';
import { sendGenerated } from '#server/http/send.ts';
import { exportRequest } from './contract.ts';
import type { Exports } from './service.ts';

export function exportRoutes(exports: Exports): Router {
  const router = new Router({ prefix: '/api/export' });

  router.post('/', requireRecentProof, async (ctx) => {
    const actor = actorOf(ctx);
    const { what } = await read(ctx, exportRequest);
    const download_url = `/api/export/content?token=${await exports.link(actor, what)}`;
    ctx.body = success({ download_url }, { download_url });
  });

  // The token in the link authenticates: a browser that saves a file sends no bearer token.
  router.get('/content', async (ctx) => {
    const token = typeof ctx.query.token === 'string' ? ctx.query.token : '';
    await sendGenerated(ctx, await exports.open(token, { sending: ctx.method === 'GET' }));
  });

  return router;
}
