import { Router } from '@koa/router';
import { actorOf } from '#server/http/context.ts';
import type { UploadResponseDependencies } from './upload-response.ts';
import { uploadResponse } from './upload-response.ts';
import type { Pages } from './pages-to-pdf/pages.ts';
import type { Uploads } from './service.ts';

export function uploadRoutes({
  uploads,
  pages,
  ...answering
}: UploadResponseDependencies & { uploads: Uploads; pages: Pages }): Router {
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

  return router;
}
