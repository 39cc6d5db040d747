import { Router } from '@koa/router';
import { read } from '#server/http/body.ts';
import { actorOf, success } from '#server/http/context.ts';
import { parse, readId } from '#server/http/input.ts';
import {
  changeRequest,
  judgeRow,
  languagesQuery,
  makeRequests,
  requestsQuery,
  saveTemplate,
} from './contract.ts';
import type { Requests } from './service.ts';

/** The endpoints by which users manage the requests of their firm. */
export function requestRoutes({ requests: { office, templates } }: { requests: Requests }): Router {
  const router = new Router({ prefix: '/api/requests' });

  router.get('/', async (ctx) => {
    ctx.body = success(await office.list(actorOf(ctx), parse(requestsQuery, { ...ctx.query })));
  });

  router.post('/', async (ctx) => {
    const actor = actorOf(ctx);
    ctx.status = 201;
    ctx.body = success(await office.make(actor, await read(ctx, makeRequests)));
  });

  router.get('/languages', async (ctx) => {
    const { clients } = parse(languagesQuery, { ...ctx.query });
    ctx.body = success(await office.languages(actorOf(ctx), clients));
  });

  router.get('/templates', async (ctx) => {
    ctx.body = success(await templates.list(actorOf(ctx)));
  });

  router.post('/templates', async (ctx) => {
    const actor = actorOf(ctx);
    ctx.status = 201;
    ctx.body = success(await templates.save(actor, await read(ctx, saveTemplate)));
  });

  router.delete('/templates/:id', async (ctx) => {
    await templates.remove(actorOf(ctx), readId(ctx.params.id, 'template'));
    ctx.body = success({ done: true });
  });

  router.get('/:id', async (ctx) => {
    ctx.body = success(await office.view(actorOf(ctx), readId(ctx.params.id, 'request')));
  });

  router.put('/:id', async (ctx) => {
    const actor = actorOf(ctx);
    const id = readId(ctx.params.id, 'request');
    ctx.body = success(await office.change(actor, id, await read(ctx, changeRequest)));
  });

  router.delete('/:id', async (ctx) => {
    await office.remove(actorOf(ctx), readId(ctx.params.id, 'request'));
    ctx.body = success({ done: true });
  });

  router.post('/:id/link', async (ctx) => {
    ctx.body = success(await office.link(actorOf(ctx), readId(ctx.params.id, 'request')));
  });

  router.post('/:id/address', async (ctx) => {
    ctx.body = success(await office.renew(actorOf(ctx), readId(ctx.params.id, 'request')));
  });

  router.post('/:id/remind', async (ctx) => {
    ctx.body = success(await office.remind(actorOf(ctx), readId(ctx.params.id, 'request')));
  });

  router.post('/:id/close', async (ctx) => {
    ctx.body = success(await office.close(actorOf(ctx), readId(ctx.params.id, 'request'), true));
  });

  router.post('/:id/reopen', async (ctx) => {
    ctx.body = success(await office.close(actorOf(ctx), readId(ctx.params.id, 'request'), false));
  });

  router.patch('/:id/rows/:row', async (ctx) => {
    const actor = actorOf(ctx);
    const [id, row] = [readId(ctx.params.id, 'request'), readId(ctx.params.row, 'request')];
    ctx.body = success(await office.judge(actor, id, row, await read(ctx, judgeRow)));
  });

  router.patch('/:id/files/:file', async (ctx) => {
    const actor = actorOf(ctx);
    const [id, file] = [readId(ctx.params.id, 'request'), readId(ctx.params.file, 'request')];
    ctx.body = success(await office.judgeFile(actor, id, file, await read(ctx, judgeRow)));
  });

  return router;
}
