import { Router } from '@koa/router';
import { actorOf, answer } from '#server/http/context.ts';
import type { Uploads } from './service.ts';

export function uploadRoutes({ uploads }: { uploads: Uploads }): Router {
  const router = new Router({ prefix: '/api/documents' });

  router.post('/upload', async (ctx) => {
    const { item, extractZip } = await uploads.receive(actorOf(ctx), ctx.req);
    const kept = extractZip && item.file_type === 'zip' ? ' and kept as a ZIP file' : '';
    ctx.status = 201;
    ctx.body = answer(item, { message: `${item.name} uploaded${kept}` });
  });

  return router;
}
