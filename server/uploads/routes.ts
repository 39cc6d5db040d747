import { Router } from '@koa/router';
import { actorOf } from '#server/http/context.ts';
import type { Answering } from './answer.ts';
import { answerUpload } from './answer.ts';
import type { Uploads } from './service.ts';

export function uploadRoutes({ uploads, ...answering }: Answering & { uploads: Uploads }): Router {
  const router = new Router({ prefix: '/api/documents' });

  router.post('/upload', async (ctx) => {
    const actor = actorOf(ctx);
    const arrival = await uploads.receive(actor, ctx.req);
    ctx.status = 201;
    ctx.body = await answerUpload(answering, actor, arrival);
  });

  return router;
}
