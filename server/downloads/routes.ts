import { Router } from '@koa/router';
import { downloadItems } from '#server/documents/contract.ts';
import { read } from '#server/http/body.ts';
import type { RequestState } from '#server/http/context.ts';
import { actorOf, success } from '#server/http/context.ts';
import { readId } from '#server/http/input.ts';
import { sendFile } from '#server/http/send.ts';
import type { Downloads } from './service.ts';

/** Creates download links and serves their bytes. The link's token authenticates: a browser sends no bearer token. */
export function downloadRoutes({ downloads }: { downloads: Downloads }): Router {
  const router = new Router({ prefix: '/api' });

  router.post('/documents/download-token', async (ctx) => {
    const actor = actorOf(ctx);
    const { ids } = await read(ctx, downloadItems);
    const download_url = await downloads.select(actor, ids);
    ctx.body = success({ download_url }, { download_url });
  });

  router.post('/clients/:id/download-token', async (ctx) => {
    const actor = actorOf(ctx);
    const download_url = await downloads.selectClient(actor, readId(ctx.params.id, 'client'));
    ctx.body = success({ download_url }, { download_url });
  });

  router.get('/documents/selection', async (ctx) => {
    const token = typeof ctx.query.token === 'string' ? ctx.query.token : '';
    return sendFile(ctx, await downloads.openSelection(token, { sending: ctx.method === 'GET' }));
  });

  // GET answers HEAD too.
  router.get('/documents/:id/content', async (ctx) => {
    const id = readId(ctx.params.id, 'item');
    const token = typeof ctx.query.token === 'string' ? ctx.query.token : '';
    const inline = ctx.query.inline === '1';
    const visitor = (ctx.state as RequestState).actor;
    const sending = ctx.method === 'GET';
    return sendFile(ctx, await downloads.open(token, id, { sending, inline, visitor }), { inline });
  });

  router.get('/documents/:id/versions/:version/content', async (ctx) => {
    const ref = { item: readId(ctx.params.id, 'item'), version: readId(ctx.params.version, 'version') };
    const token = typeof ctx.query.token === 'string' ? ctx.query.token : '';
    const inline = ctx.query.inline === '1';
    const visitor = (ctx.state as RequestState).actor;
    const sending = ctx.method === 'GET';
    return sendFile(ctx, await downloads.openVersion(token, ref, { sending, inline, visitor }), { inline });
  });

  return router;
}
