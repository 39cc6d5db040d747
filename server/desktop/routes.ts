import { Router } from '@koa/router';
import * as v from 'valibot';
import { read } from '#server/http/body.ts';
import { actorOf, success, originOf } from '#server/http/context.ts';
import { parse, readId } from '#server/http/input.ts';
import { sendFile } from '#server/http/send.ts';
import { DESKTOP, authorizeDevice, claimToken, compareContent, findFolder } from './contract.ts';
import type { Desktop } from './service.ts';

const search = v.object({ q: v.optional(v.pipe(v.string(), v.maxLength(200)), '') });

/** The API of Almirah Uploader; all calls but `token` and `latest` need its token. */
export function desktopRoutes({ desktop }: { desktop: Desktop }): Router {
  const router = new Router({ prefix: DESKTOP });

  router.post('/authorize', async (ctx) => {
    ctx.body = success(await desktop.authorize(actorOf(ctx), await read(ctx, authorizeDevice)));
  });

  router.post('/token', async (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    ctx.body = success(await desktop.claim(await read(ctx, claimToken), originOf(ctx)));
  });

  router.get('/me', async (ctx) => {
    const platform = /\(([\w-]+)\)/.exec(ctx.get('user-agent'))?.[1] ?? '';
    ctx.body = success(await desktop.me(actorOf(ctx), platform));
  });

  router.delete('/me', async (ctx) => {
    await desktop.leave(actorOf(ctx));
    ctx.body = success(null);
  });

  /** Called by the user, under Settings. */
  router.delete('/devices/:id', async (ctx) => {
    await desktop.end(actorOf(ctx), readId(ctx.params.id, 'program'));
    ctx.body = success(null, { message: 'The program is disconnected.' });
  });

  router.get('/folders', async (ctx) => {
    const actor = actorOf(ctx);
    const parent = String(ctx.query.parent ?? 'root');
    ctx.body = success(await desktop.folders(actor, parent === 'root' ? null : readId(parent, 'folder')));
  });

  router.post('/folders', async (ctx) => {
    ctx.body = success(await desktop.findFolder(actorOf(ctx), await read(ctx, findFolder)));
  });

  router.get('/clients', async (ctx) => {
    const actor = actorOf(ctx);
    ctx.body = success(await desktop.clients(actor, parse(search, { ...ctx.query }).q));
  });

  router.post('/compare', async (ctx) => {
    ctx.body = success(await desktop.compare(actorOf(ctx), await read(ctx, compareContent)));
  });

  router.get('/latest', async (ctx) => {
    ctx.set('Cache-Control', 'no-cache');
    ctx.body = success(await desktop.latest());
  });

  return router;
}

/** Downloads of the built programs, without authentication. */
export function desktopFileRoutes({ desktop }: { desktop: Desktop }): Router {
  const router = new Router({ prefix: '/desktop/download' });
  router.get('/:file', async (ctx) => sendFile(ctx, await desktop.file(String(ctx.params.file))));
  return router;
}
