import { Router } from '@koa/router';
import type { Extraction } from '#server/archive/extract/service.ts';
import { actorOf } from '#server/http/context.ts';
import { answerUpload } from './answer.ts';
import type { Uploads } from './service.ts';

export function uploadRoutes({ uploads, extraction }: { uploads: Uploads; extraction: Extraction }): Router {
  const router = new Router({ prefix: '/api/documents' });

  router.post('/upload', async (ctx) => {
    const actor = actorOf(ctx);
    const arrival = await uploads.receive(actor, ctx.req);
    ctx.status = 201;
    ctx.body = await answerUpload(extraction, actor, arrival);
  });

  return router;
}
