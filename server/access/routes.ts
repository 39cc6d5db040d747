import { Router } from '@koa/router';
import { read } from '#server/http/body.ts';
import { actorOf, success } from '#server/http/context.ts';
import { readId } from '#server/http/input.ts';
import { assignment, clientPeople, losing } from './contract.ts';
import type { Access } from './service.ts';

/** Assignments of users to clients, and who sees an item. */
export function accessRoutes({ access }: { access: Access }): Router {
  const router = new Router({ prefix: '/api' });

  router.get('/team/client-groups', async (ctx) => {
    ctx.body = success(await access.groups(actorOf(ctx)));
  });

  router.get('/team/:id/clients', async (ctx) => {
    ctx.body = success(await access.ofPerson(actorOf(ctx), readId(ctx.params.id, 'person')));
  });

  router.put('/team/:id/clients', async (ctx) => {
    const actor = actorOf(ctx);
    const id = readId(ctx.params.id, 'person');
    ctx.body = success(await access.assign(actor, id, await read(ctx, assignment)), { message: 'Saved.' });
  });

  router.get('/clients/:id/people', async (ctx) => {
    ctx.body = success(await access.peopleOf(actorOf(ctx), readId(ctx.params.id, 'client')));
  });

  router.put('/clients/:id/people', async (ctx) => {
    const actor = actorOf(ctx);
    const id = readId(ctx.params.id, 'client');
    ctx.body = success(await access.setPeople(actor, id, await read(ctx, clientPeople)), {
      message: 'Saved.',
    });
  });

  router.get('/clients/:id/access', async (ctx) => {
    ctx.body = success(await access.ofClient(actorOf(ctx), readId(ctx.params.id, 'client')));
  });

  router.post('/documents/access/losing', async (ctx) => {
    ctx.body = success(await access.losing(actorOf(ctx), await read(ctx, losing)));
  });

  router.get('/documents/:id/access', async (ctx) => {
    ctx.body = success(await access.ofItem(actorOf(ctx), readId(ctx.params.id, 'item')));
  });

  return router;
}
