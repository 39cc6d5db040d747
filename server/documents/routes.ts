import { Router } from '@koa/router';
import { read } from '#server/http/body.ts';
import { actorOf, success } from '#server/http/context.ts';
import { AppError, forbidden, missing } from '#server/http/errors.ts';
import { parse, readId } from '#server/http/input.ts';
import * as contract from './contract.ts';
import { pack } from './packed/contract.ts';
import type { Documents } from './service.ts';

/** The undo of a move names each item with its former folder, its client, and both its names where it was renamed. */
const UNDO_MAX_BYTES = 8 * 1024 * 1024;

/** Routes for files and folders, except uploads and downloads. */
export function documentRoutes({ documents }: { documents: Documents }): Router {
  const router = new Router({ prefix: '/api/documents' });

  router.get('/', async (ctx) => {
    const actor = actorOf(ctx);
    const { parent_id = null, form, ...query } = parse(contract.listingQuery, { ...ctx.query });
    const listing = await documents.folder(actor, parent_id, query);
    ctx.body = success(form === 'packed' ? pack(listing) : listing);
  });

  router.get('/files', async (ctx) => {
    const actor = actorOf(ctx);
    ctx.body = success(await documents.files(actor, parse(contract.filesQuery, { ...ctx.query })));
  });

  router.post('/folder', async (ctx) => {
    const folder = await documents.createFolder(actorOf(ctx), await read(ctx, contract.createFolder));
    ctx.status = 201;
    ctx.body = success(folder, { message: 'Folder created.' });
  });

  router.post('/compare', async (ctx) => {
    ctx.body = success(await documents.compare(actorOf(ctx), await read(ctx, contract.compareFiles)));
  });

  router.post('/move', async (ctx) => {
    ctx.body = success(await documents.move(actorOf(ctx), await read(ctx, contract.moveItems)));
  });

  router.post('/move/preview', async (ctx) => {
    const actor = actorOf(ctx);
    ctx.body = success(await documents.previewMove(actor, await read(ctx, contract.previewMove)));
  });

  router.post('/move/undo', async (ctx) => {
    ctx.body = success(
      await documents.undoMove(actorOf(ctx), await read(ctx, contract.undoMove, UNDO_MAX_BYTES)),
    );
  });

  router.post('/rename', async (ctx) => {
    ctx.body = success(await documents.renameMany(actorOf(ctx), await read(ctx, contract.renameItems)));
  });

  router.post('/client', async (ctx) => {
    ctx.body = success(await documents.setClientOfMany(actorOf(ctx), await read(ctx, contract.fileItems)));
  });

  router.post('/client/preview', async (ctx) => {
    const actor = actorOf(ctx);
    ctx.body = success(await documents.previewFiling(actor, await read(ctx, contract.previewFiling)));
  });

  router.post('/delete', async (ctx) => {
    const actor = actorOf(ctx);
    const { ids, seen } = await read(ctx, contract.deleteItems);
    ctx.body = success(await documents.remove(actor, ids, seen));
  });

  router.post('/delete/preview', async (ctx) => {
    const actor = actorOf(ctx);
    const { ids } = await read(ctx, contract.previewDeletion);
    ctx.body = success(await documents.previewRemoval(actor, ids));
  });

  router.get('/:id', async (ctx) => {
    ctx.body = success(await documents.item(actorOf(ctx), readId(ctx.params.id, 'item')));
  });

  router.patch('/:id/rename', async (ctx) => {
    const actor = actorOf(ctx);
    const id = readId(ctx.params.id, 'item');
    ctx.body = success(await documents.rename(actor, id, await read(ctx, contract.renameItem)));
  });

  router.patch('/:id/client', async (ctx) => {
    const actor = actorOf(ctx);
    const id = readId(ctx.params.id, 'item');
    ctx.body = success(await documents.setClient(actor, id, await read(ctx, contract.setClient)));
  });

  router.delete('/:id', async (ctx) => {
    const actor = actorOf(ctx);
    const result = await documents.remove(actor, [readId(ctx.params.id, 'item')]);
    const [failed] = result.failed;
    if (failed?.code === 'sealed') throw new AppError(422, 'sealed', failed.message);
    if (failed) throw failed.name === null ? missing(failed.message) : forbidden(failed.message);
    ctx.body = success(result, { message: 'Deleted.' });
  });

  router.post('/:id/download-token', async (ctx) => {
    const download_url = await documents.downloadUrl(actorOf(ctx), readId(ctx.params.id, 'item'), {
      inline: ctx.query.inline === '1',
    });
    ctx.body = success({ download_url }, { download_url });
  });

  return router;
}
