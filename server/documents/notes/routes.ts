import { Router } from '@koa/router';
import { read } from '#server/http/body.ts';
import { actorOf, success } from '#server/http/context.ts';
import { readId } from '#server/http/input.ts';
import { noteChange, noteInput } from './contract.ts';
import type { Notes } from './service.ts';

export function noteRoutes({ notes }: { notes: Notes }): Router {
  const router = new Router({ prefix: '/api' });

  router.get('/documents/:id/notes', async (ctx) => {
    ctx.body = success(await notes.of(actorOf(ctx), readId(ctx.params.id, 'item')));
  });

  router.post('/documents/:id/notes', async (ctx) => {
    const actor = actorOf(ctx);
    const id = readId(ctx.params.id, 'item');
    const note = await notes.add(actor, id, await read(ctx, noteInput));
    ctx.status = 201;
    ctx.body = success(note, { message: 'Note saved.' });
  });

  router.patch('/notes/:id', async (ctx) => {
    const actor = actorOf(ctx);
    const id = readId(ctx.params.id, 'note');
    ctx.body = success(await notes.edit(actor, id, await read(ctx, noteChange)), { message: 'Note saved.' });
  });

  router.delete('/notes/:id', async (ctx) => {
    await notes.remove(actorOf(ctx), readId(ctx.params.id, 'note'));
    ctx.body = success(null, { message: 'Note deleted.' });
  });

  return router;
}
