import { Router } from '@koa/router';
import { read } from '#server/http/body.ts';
import { actorOf, success } from '#server/http/context.ts';
import { parse, readId } from '#server/http/input.ts';
import { fileDocuments, filingPattern, filingQuery, setInbox } from './contract.ts';
import type { FilingService } from './service.ts';

/** Routes for filing documents by what was recognised in them. */
export function filingRoutes({ filing }: { filing: FilingService }): Router {
  const router = new Router({ prefix: '/api/filing' });

  router.get('/', async (ctx) => {
    ctx.set('Cache-Control', 'private, no-store');
    ctx.body = success(await filing.suggestions(actorOf(ctx), parse(filingQuery, { ...ctx.query })));
  });

  router.post('/', async (ctx) => {
    ctx.body = success(await filing.file(actorOf(ctx), await read(ctx, fileDocuments)));
  });

  router.get('/runs', async (ctx) => {
    ctx.body = success(await filing.runs(actorOf(ctx)));
  });

  router.post('/runs/:id/undo', async (ctx) => {
    ctx.body = success(await filing.undo(actorOf(ctx), readId(ctx.params.id, 'run')));
  });

  router.put('/pattern', async (ctx) => {
    const { pattern } = await read(ctx, filingPattern);
    ctx.body = success(await filing.setPattern(actorOf(ctx), pattern), { message: 'Saved.' });
  });

  router.get('/inboxes', async (ctx) => {
    ctx.body = success(await filing.inboxes(actorOf(ctx)));
  });

  router.put('/inboxes/:id', async (ctx) => {
    const id = readId(ctx.params.id, 'folder');
    ctx.body = success(await filing.setInbox(actorOf(ctx), id, await read(ctx, setInbox)));
  });

  return router;
}
