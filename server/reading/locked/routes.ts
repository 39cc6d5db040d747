import { Readable } from 'node:stream';
import { Router } from '@koa/router';
import { read } from '#server/http/body.ts';
import { actorOf, success } from '#server/http/context.ts';
import { readId } from '#server/http/input.ts';
import { sendGenerated } from '#server/http/send.ts';
import { typedPassword } from './contract.ts';
import type { Unlocking } from './service.ts';

/** Routes for the passwords of locked PDFs and for copies without one. */
export function unlockingRoutes({ unlocking }: { unlocking: Unlocking }): Router {
  const router = new Router({ prefix: '/api/documents/:id' });

  router.get('/password', async (ctx) => {
    ctx.set('Cache-Control', 'private, no-store');
    ctx.body = success(await unlocking.password(actorOf(ctx), readId(ctx.params.id, 'item')));
  });

  router.post('/password', async (ctx) => {
    await unlocking.unlock(actorOf(ctx), readId(ctx.params.id, 'item'), await read(ctx, typedPassword));
    ctx.body = success(null, { message: 'The document opens.' });
  });

  router.get('/unlocked', async (ctx) => {
    const { name, bytes } = await unlocking.unlocked(actorOf(ctx), readId(ctx.params.id, 'item'));
    ctx.set('Cache-Control', 'private, no-store');
    await sendGenerated(ctx, {
      name,
      type: 'application/pdf',
      size: bytes.length,
      open: async () => Readable.from([bytes]),
    });
  });

  return router;
}
