import { Router } from '@koa/router';
import { actorOf, success } from '#server/http/context.ts';
import { smallFileReader } from '#server/http/small-file.ts';
import { LOGO_MAX_BYTES } from './contract.ts';
import type { Branding } from './service.ts';

const readImage = smallFileReader({
  maxBytes: LOGO_MAX_BYTES,
  texts: {
    notMultipart: 'Send the picture as multipart/form-data.',
    tooLarge: 'This picture is over 2 MB. Give a smaller one.',
    notOneFile: 'Send one picture in the field "file"',
    incomplete: 'The picture did not arrive completely. Try again.',
    missing: 'Choose a picture',
  },
});

export function brandingRoutes({ branding }: { branding: Branding }): Router {
  const router = new Router();

  router.get('/api/firm/logo', async (ctx) => {
    ctx.body = success(await branding.view(actorOf(ctx)));
  });

  router.put('/api/firm/logo', async (ctx) => {
    const actor = actorOf(ctx);
    await branding.view(actor);
    const { bytes } = await readImage(ctx);
    ctx.body = success(await branding.set(actor, bytes));
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
