import { Router } from '@koa/router';
import type { Context } from 'koa';
import { read } from '#server/http/body.ts';
import { actorOf, success } from '#server/http/context.ts';
import { parse, readId } from '#server/http/input.ts';
import { clientChange, clientInput, clientQuery } from './contract.ts';
import { receiveTable } from './receive-upload.ts';
import type { Clients } from './service.ts';

export function clientRoutes({ clients }: { clients: Clients }): Router {
  const router = new Router({ prefix: '/api/clients' });

  router.get('/', async (ctx) => {
    const actor = actorOf(ctx);
    ctx.body = success(await clients.list(actor, parse(clientQuery, { ...ctx.query })));
  });

  router.get('/options', async (ctx) => {
    ctx.body = success(await clients.options(actorOf(ctx)));
  });

  router.get('/look-up', async (ctx) => {
    const actor = actorOf(ctx);
    const { search, limit = 30 } = parse(clientQuery, { ...ctx.query });
    ctx.body = success(await clients.lookUp(actor, search, limit));
  });

  router.get('/export', async (ctx) => {
    const actor = actorOf(ctx);
    const { client_type, status, search } = parse(clientQuery, { ...ctx.query });
    const sending = ctx.method === 'GET';
    const options = { counted: sending, recorded: sending };
    const { name, csv } = await clients.export(actor, { client_type, status, search }, options);
    ctx.set('Content-Disposition', `attachment; filename="${name}"`);
    ctx.set('Cache-Control', 'no-store');
    ctx.type = 'text/csv; charset=utf-8';
    ctx.body = csv;
  });

  router.post('/import/preview', async (ctx) => {
    const actor = actorOf(ctx);
    const { bytes, mapping, choices } = await receiveTable(ctx);
    ctx.body = success(await clients.import.preview(actor, bytes, mapping, choices));
  });

  router.post('/import', async (ctx) => {
    const actor = actorOf(ctx);
    const { bytes, mapping, choices } = await receiveTable(ctx);
    const done = await clients.import.run(actor, bytes, mapping, choices);
    ctx.body = success(done, { message: `${done.created} added, ${done.updated} updated.` });
  });

  router.post('/', async (ctx) => {
    const client = await clients.create(actorOf(ctx), await read(ctx, clientInput));
    ctx.status = 201;
    ctx.body = success(client, { message: 'Client created.' });
  });

  router.get('/:id', async (ctx) => {
    ctx.body = success(await clients.client(actorOf(ctx), readId(ctx.params.id, 'client')));
  });

  router.get('/:id/overview', async (ctx) => {
    ctx.body = success(await clients.overview(actorOf(ctx), readId(ctx.params.id, 'client')));
  });

  router.get('/:id/tied', async (ctx) => {
    ctx.body = success(await clients.tied(actorOf(ctx), readId(ctx.params.id, 'client')));
  });

  const update = async (ctx: Context & { params: { id?: string } }) => {
    const actor = actorOf(ctx);
    const id = readId(ctx.params.id, 'client');
    ctx.body = success(await clients.update(actor, id, await read(ctx, clientChange)), {
      message: 'Client updated.',
    });
  };
  router.put('/:id', update);
  router.patch('/:id', update);

  router.delete('/:id', async (ctx) => {
    const done = await clients.remove(actorOf(ctx), readId(ctx.params.id, 'client'));
    ctx.body = success(done, { message: 'Client deleted.' });
  });

  return router;
}
