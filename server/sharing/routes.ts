import { Router } from '@koa/router';
import { read } from '#server/http/body.ts';
import { actorOf, success } from '#server/http/context.ts';
import { requireProof } from '#server/http/recent-proof.ts';
import { parse, readId } from '#server/http/input.ts';
import {
  changeShare,
  checkShare,
  makeShare,
  sendShare,
  shareSettings,
  sharesNamed,
  sharesQuery,
} from './contract.ts';
import type { Sharing } from './service.ts';

/** The endpoints by which users manage the links of their firm. */
export function sharingRoutes({ sharing: { links } }: { sharing: Sharing }): Router {
  const router = new Router({ prefix: '/api/shares' });

  router.get('/', async (ctx) => {
    ctx.body = success(await links.list(actorOf(ctx), parse(sharesQuery, { ...ctx.query })));
  });

  router.post('/', async (ctx) => {
    const actor = actorOf(ctx);
    const request = await read(ctx, makeShare);
    if (await links.isLarge(actor, request.ids)) requireProof(actor);
    ctx.body = success(await links.make(actor, request));
    ctx.status = 201;
  });

  router.get('/items', async (ctx) => {
    ctx.body = success(await links.marked(actorOf(ctx)));
  });

  router.post('/check', async (ctx) => {
    const actor = actorOf(ctx);
    ctx.body = success(await links.check(actor, await read(ctx, checkShare)));
  });

  router.post('/among', async (ctx) => {
    const actor = actorOf(ctx);
    const { ids } = await read(ctx, sharesNamed);
    ctx.body = success(await links.among(actor, ids));
  });

  router.post('/revoke', async (ctx) => {
    const actor = actorOf(ctx);
    const { ids } = await read(ctx, sharesNamed);
    ctx.body = success({ done: await links.revoke(actor, ids) });
  });

  router.get('/settings', async (ctx) => {
    ctx.body = success(await links.settings(actorOf(ctx)));
  });

  router.put('/settings', async (ctx) => {
    const actor = actorOf(ctx);
    ctx.body = success(await links.set(actor, await read(ctx, shareSettings)));
  });

  router.patch('/:id', async (ctx) => {
    const actor = actorOf(ctx);
    const id = readId(ctx.params.id, 'link');
    if (await links.showsMuch(actor, id)) requireProof(actor);
    ctx.body = success(await links.change(actor, id, await read(ctx, changeShare)));
  });

  router.post('/:id/address', async (ctx) => {
    const actor = actorOf(ctx);
    const id = readId(ctx.params.id, 'link');
    if (await links.showsMuch(actor, id)) requireProof(actor);
    ctx.body = success(await links.renew(actor, id));
  });

  router.post('/:id/email', async (ctx) => {
    const actor = actorOf(ctx);
    const id = readId(ctx.params.id, 'link');
    ctx.body = success({ sent: await links.send(actor, id, await read(ctx, sendShare)) });
  });

  return router;
}
