import { Router } from '@koa/router';
import { create as disposition } from 'content-disposition';
import type { Context } from 'koa';
import { read } from '#server/http/body.ts';
import { actorOf, success } from '#server/http/context.ts';
import { notFound } from '#server/http/errors.ts';
import { parse, readId } from '#server/http/input.ts';
import { exportFields, fieldChanges, reviewQuery, tableForm } from './contract.ts';
import type { FieldExport, SheetFile } from './export.ts';
import type { Fields } from './service.ts';

/** Parses the index of a table. @throws {AppError} 404. */
function readTableIndex(text: string | undefined): number {
  if (text === undefined || !/^\d{1,3}$/.test(text)) throw notFound('table');
  return Number(text);
}

/** Routes for the values of documents. No response may stay in the browser's cache after a sign-out. */
export function fieldRoutes({ fields, fieldExport }: { fields: Fields; fieldExport: FieldExport }): Router {
  const router = new Router({ prefix: '/api' });

  router.get('/documents/:id/fields', async (ctx) => {
    ctx.set('Cache-Control', 'private, no-store');
    ctx.body = success(await fields.view(actorOf(ctx), readId(ctx.params.id, 'item')));
  });

  router.patch('/documents/:id/fields', async (ctx) => {
    const actor = actorOf(ctx);
    const id = readId(ctx.params.id, 'item');
    const { fields: changes } = await read(ctx, fieldChanges);
    ctx.body = success(await fields.answer(actor, id, changes), { message: 'Saved.' });
  });

  router.get('/documents/:id/tables/:at', async (ctx) => {
    const index = readTableIndex(ctx.params.at);
    ctx.set('Cache-Control', 'private, no-store');
    ctx.body = success(await fields.table(actorOf(ctx), readId(ctx.params.id, 'item'), index));
  });

  const sendSheet = (ctx: Context, { name, type, bytes }: SheetFile) => {
    ctx.set('Cache-Control', 'private, no-store');
    ctx.set('Content-Disposition', disposition(name, { type: 'attachment' }));
    ctx.type = type;
    ctx.body = bytes;
  };

  router.post('/documents/:id/tables/:at/export', async (ctx) => {
    const actor = actorOf(ctx);
    const [id, index] = [readId(ctx.params.id, 'item'), readTableIndex(ctx.params.at)];
    const { form } = await read(ctx, tableForm);
    sendSheet(ctx, await fieldExport.table(actor, id, index, form));
  });

  router.post('/documents/fields/export', async (ctx) => {
    const actor = actorOf(ctx);
    const { ids, form } = await read(ctx, exportFields);
    sendSheet(ctx, await fieldExport.documents(actor, ids, form));
  });

  router.get('/review', async (ctx) => {
    ctx.set('Cache-Control', 'private, no-store');
    ctx.body = success(await fields.review(actorOf(ctx), parse(reviewQuery, { ...ctx.query })));
  });

  return router;
}
