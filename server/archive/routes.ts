import { Router } from '@koa/router';
import { read } from '#server/http/body.ts';
import { actorOf, success } from '#server/http/context.ts';
import { parse, readId } from '#server/http/input.ts';
import { sendGenerated } from '#server/http/send.ts';
import { entriesQuery, entryRequest, extractRequest } from './contract.ts';
import type { Extraction } from './extract/service.ts';
import type { ArchiveViewer } from './view/service.ts';

/** Routes for ZIP files in the drive. Mounted before the routes of items, whose `:id` would match these paths. */
export function archiveRoutes({
  extraction,
  archiveViewer,
}: {
  extraction: Extraction;
  archiveViewer: ArchiveViewer;
}): Router {
  const router = new Router({ prefix: '/api/documents' });

  router.get('/extraction-status', async (ctx) => {
    ctx.body = success(await extraction.running(actorOf(ctx)));
  });

  router.get('/extraction-status/:id', async (ctx) => {
    ctx.body = success(await extraction.status(actorOf(ctx), readId(ctx.params.id, 'job')));
  });

  router.delete('/extraction-status/:id', async (ctx) => {
    const view = await extraction.cancel(actorOf(ctx), readId(ctx.params.id, 'job'));
    ctx.body = success(view, { message: view.status === 'cancelled' ? view.message : 'Cancelling...' });
  });

  router.post('/:id/extract', async (ctx) => {
    const actor = actorOf(ctx);
    const id = readId(ctx.params.id, 'item');
    // The body is optional, and a browser sends no type without one.
    const request = ctx.get('Content-Type') ? await read(ctx, extractRequest) : parse(extractRequest, {});
    const view = await extraction.start(actor, id, request);
    ctx.status = 202;
    ctx.body = success(view, { extraction_id: view.id, message: 'ZIP extraction started' });
  });

  router.get('/:id/entries', async (ctx) => {
    const actor = actorOf(ctx);
    const id = readId(ctx.params.id, 'item');
    ctx.body = success(await archiveViewer.entries(actor, id, parse(entriesQuery, { ...ctx.query })));
  });

  router.post('/:id/entry-token', async (ctx) => {
    const actor = actorOf(ctx);
    const id = readId(ctx.params.id, 'item');
    const token = await archiveViewer.link(actor, id, await read(ctx, entryRequest));
    const download_url = `/api/documents/entry?token=${token}`;
    ctx.body = success({ download_url }, { download_url });
  });

  // The token in the link authenticates, as it does for the download of the ZIP itself. This route also handles HEAD.
  router.get('/entry', async (ctx) => {
    const token = String(ctx.query.token ?? '');
    await sendGenerated(ctx, await archiveViewer.open(token, { sending: ctx.method === 'GET' }));
  });

  return router;
}
