import { Router } from '@koa/router';
import { read } from '#server/http/body.ts';
import { actorOf, success } from '#server/http/context.ts';
import { readId } from '#server/http/input.ts';
import { saveRequest } from './attachments/contract.ts';
import type { Attachments } from './attachments/service.ts';
import type { UploadResponseDependencies } from './upload-response.ts';
import { uploadResponse } from './upload-response.ts';
import type { Pages } from './pages-to-pdf/pages.ts';
import type { Uploads } from './service.ts';

export function uploadRoutes({
  uploads,
  pages,
  attachments,
  ...answering
}: UploadResponseDependencies & { uploads: Uploads; pages: Pages; attachments: Attachments }): Router {
  const router = new Router({ prefix: '/api/documents' });

  router.post('/upload', async (ctx) => {
    const actor = actorOf(ctx);
    const arrival = await uploads.receive(actor, ctx.req);
    ctx.status = 201;
    ctx.body = await uploadResponse(answering, actor, arrival);
  });

  /** Pictures of pages, saved as one PDF; the response is that of an upload. */
  router.post('/pages', async (ctx) => {
    const actor = actorOf(ctx);
    const item = await pages.receive(actor, ctx.req);
    ctx.status = 201;
    ctx.body = await uploadResponse(answering, actor, { item, extractZip: false });
  });

  /** Attachments of an e-mail in the drive, saved beside it. */
  router.post('/:id/attachments/save', async (ctx) => {
    const actor = actorOf(ctx);
    const id = readId(ctx.params.id, 'item');
    ctx.body = success(await attachments.save(actor, id, await read(ctx, saveRequest)));
  });

  return router;
}
