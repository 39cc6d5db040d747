import { Router } from '@koa/router';
import type { Extraction } from '#server/archive/extraction.ts';
import { actorOf, answer } from '#server/http/context.ts';
import { AppError } from '#server/http/errors.ts';
import type { Uploads } from './service.ts';

export function uploadRoutes({ uploads, extraction }: { uploads: Uploads; extraction: Extraction }): Router {
  const router = new Router({ prefix: '/api/documents' });

  router.post('/upload', async (ctx) => {
    const actor = actorOf(ctx);
    const { item, extractZip } = await uploads.receive(actor, ctx.req);
    ctx.status = 201;
    if (!extractZip || item.file_type !== 'zip') {
      ctx.body = answer(item, { message: `${item.name} uploaded` });
      return;
    }
    try {
      const { id } = await extraction.start(actor, item.id, {}, { replace: true });
      ctx.body = answer(
        { ...item, extraction_id: id },
        { extraction_id: id, message: `${item.name} uploaded, unpacking it` },
      );
    } catch (error) {
      // The file is saved, whatever becomes of unpacking it.
      if (!(error instanceof AppError)) throw error;
      ctx.body = answer(item, { message: `${item.name} uploaded and kept as a ZIP file. ${error.message}` });
    }
  });

  return router;
}
