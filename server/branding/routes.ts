/// <reference path="../clients/multer.d.ts" />
import multer from '@koa/multer';
import { Router } from '@koa/router';
import type { Context } from 'koa';
import { withBodyTimeout } from '#server/http/body-timeout.ts';
import { actorOf, success } from '#server/http/context.ts';
import { AppError, badRequest, invalid, tooLarge } from '#server/http/errors.ts';
import { LOGO_MAX_BYTES } from './contract.ts';
import type { Branding } from './service.ts';

const parseUpload = multer({
  storage: multer.memoryStorage(),
  limits: { fileSize: LOGO_MAX_BYTES, files: 1, fields: 0, parts: 1 },
}).single('file');

/** The single file of a multipart request. @throws {AppError} 400, 413, 415, 422. */
async function readImage(ctx: Context): Promise<Buffer> {
  if (!ctx.is('multipart/form-data'))
    throw new AppError(415, 'unsupported_media_type', 'Send the picture as multipart/form-data.');
  try {
    await withBodyTimeout(ctx.req, Promise.resolve(parseUpload(ctx as never, () => Promise.resolve())));
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { code } = (error ?? {}) as { code?: string };
    if (code === 'LIMIT_FILE_SIZE') throw tooLarge('This picture is over 2 MB. Give a smaller one.');
    if (code?.startsWith('LIMIT_')) throw invalid({ file: ['Send one picture in the field "file"'] });
    throw badRequest('The picture did not arrive completely. Try again.');
  }
  const { file } = ctx as unknown as { file?: { buffer: Buffer } };
  if (!file) throw invalid({ file: ['Choose a picture'] });
  return file.buffer;
}

export function brandingRoutes({ branding }: { branding: Branding }): Router {
  const router = new Router();

  router.get('/api/firm/logo', async (ctx) => {
    ctx.body = success(await branding.view(actorOf(ctx)));
  });

  router.put('/api/firm/logo', async (ctx) => {
    const actor = actorOf(ctx);
    await branding.view(actor);
    ctx.body = success(await branding.set(actor, await readImage(ctx)));
  });

  router.delete('/api/firm/logo', async (ctx) => {
    ctx.body = success(await branding.remove(actorOf(ctx)));
  });

  // Public: e-mails and pages for people outside show the logo.
  router.get('/logo/:key', async (ctx) => {
    ctx.body = await branding.imageAt(String(ctx.params.key));
    ctx.type = 'image/png';
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
  });

  return router;
}
