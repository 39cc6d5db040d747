import { Router } from '@koa/router';
import * as v from 'valibot';
import { read } from '#server/http/body.ts';
import { actorOf, answer, originOf } from '#server/http/context.ts';
import { parse, readId } from '#server/http/input.ts';
import { sendFile } from '#server/http/send.ts';
import { DESKTOP, authorizeDevice, claimToken, compareContent, findFolder } from './contract.ts';
import type { Devices } from './service.ts';

const search = v.object({ q: v.optional(v.pipe(v.string(), v.maxLength(200)), '') });

/** What Almirah Uploader asks; all but `token` and `latest` with its own token. */
export function deviceRoutes({ devices }: { devices: Devices }): Router {
  const router = new Router({ prefix: DESKTOP });

  router.post('/authorize', async (ctx) => {
    ctx.body = answer(await devices.authorize(actorOf(ctx), await read(ctx, authorizeDevice)));
  });

  router.post('/token', async (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    ctx.body = answer(await devices.claim(await read(ctx, claimToken), originOf(ctx)));
  });

  router.get('/me', async (ctx) => {
    const platform = /\(([\w-]+)\)/.exec(ctx.get('user-agent'))?.[1] ?? '';
    ctx.body = answer(await devices.me(actorOf(ctx), platform));
  });

  router.delete('/me', async (ctx) => {
    await devices.leave(actorOf(ctx));
    ctx.body = answer(null);
  });

  /** By the person, under Settings. */
  router.delete('/devices/:id', async (ctx) => {
    await devices.end(actorOf(ctx), readId(ctx.params.id, 'program'));
    ctx.body = answer(null, { message: 'The program is disconnected.' });
  });

  router.get('/folders', async (ctx) => {
    const actor = actorOf(ctx);
    const parent = String(ctx.query.parent ?? 'root');
    ctx.body = answer(await devices.folders(actor, parent === 'root' ? null : readId(parent, 'folder')));
  });

  router.post('/folders', async (ctx) => {
    ctx.body = answer(await devices.findFolder(actorOf(ctx), await read(ctx, findFolder)));
  });

  router.get('/clients', async (ctx) => {
    const actor = actorOf(ctx);
    ctx.body = answer(await devices.clients(actor, parse(search, { ...ctx.query }).q));
  });

  router.post('/compare', async (ctx) => {
    ctx.body = answer(await devices.compare(actorOf(ctx), await read(ctx, compareContent)));
  });

  router.get('/latest', async (ctx) => {
    ctx.set('Cache-Control', 'no-cache');
    ctx.body = answer(await devices.latest());
  });

  return router;
}

/** The built programs themselves, for anybody. */
export function desktopFileRoutes({ devices }: { devices: Devices }): Router {
  const router = new Router({ prefix: '/desktop/download' });
  router.get('/:file', async (ctx) => sendFile(ctx, await devices.file(String(ctx.params.file))));
  return router;
}
