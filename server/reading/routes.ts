import { Router } from '@koa/router';
import { read } from '#server/http/body.ts';
import { actorOf, success } from '#server/http/context.ts';
import { readId } from '#server/http/input.ts';
import { pauseReading } from './contract.ts';
import type { Reading } from './service.ts';

/** The texts of files, and the progress of reading them. */
export function readingRoutes({ reading }: { reading: Reading }): Router {
  const router = new Router({ prefix: '/api' });

  router.get('/reading', async (ctx) => {
    ctx.body = success(await reading.progress(actorOf(ctx)));
  });

  router.post('/reading/pause', async (ctx) => {
    const { paused } = await read(ctx, pauseReading);
    ctx.body = success(await reading.pause(actorOf(ctx), paused), {
      message: paused ? 'Reading is paused.' : 'Reading goes on.',
    });
  });

  router.get('/documents/:id/reading', async (ctx) => {
    ctx.body = success(await reading.state(actorOf(ctx), readId(ctx.params.id, 'item')));
  });

  router.get('/documents/:id/text', async (ctx) => {
    const text = await reading.text(actorOf(ctx), readId(ctx.params.id, 'item'));
    // Nothing readable may stay in the browser's cache after a sign-out.
    ctx.set('Cache-Control', 'private, no-store');
    ctx.body = success(text);
  });

  router.get('/documents/:id/words', async (ctx) => {
    const words = await reading.words(actorOf(ctx), readId(ctx.params.id, 'item'));
    ctx.set('Cache-Control', 'private, no-store');
    ctx.body = success(words);
  });

  router.post('/documents/:id/read', async (ctx) => {
    const state = await reading.readAgain(actorOf(ctx), readId(ctx.params.id, 'item'));
    ctx.status = 202;
    ctx.body = success(state, { message: 'This file will be read again.' });
  });

  return router;
}
