import { Router } from '@koa/router';
import type { Context } from 'koa';
import { refusedOf, refusedQuery } from '#server/collecting/contract.ts';
import type { Collecting } from '#server/collecting/service.ts';
import { rawBody, read } from '#server/http/body.ts';
import { actorOf, showFaultsOn, success } from '#server/http/context.ts';
import { AppError } from '#server/http/errors.ts';
import { parse, readId } from '#server/http/input.ts';
import { bindDropped, dropsQuery, makeDrop } from './contract.ts';
import type { Drops } from './service.ts';

/** Bytes of a form without files. */
const FORM_MAX = 16 * 1024;

/** Lasting links by which clients send anything: what the firm does with them, and the form of the page in site/pages/d. */
export function dropRoutes({ drops, collecting }: { drops: Drops; collecting: Collecting }): Router {
  const { senderOf, scriptOf, requireOurs, back } = collecting.coming;
  const router = new Router();

  router.get('/api/drop-links', async (ctx) => {
    ctx.body = success(await drops.list(actorOf(ctx), parse(dropsQuery, { ...ctx.query })));
  });
  router.post('/api/drop-links', async (ctx) => {
    const actor = actorOf(ctx);
    ctx.status = 201;
    ctx.body = success(await drops.make(actor, await read(ctx, makeDrop)));
  });
  router.post('/api/drop-links/:id/address', async (ctx) => {
    ctx.body = success(await drops.renew(actorOf(ctx), readId(ctx.params.id, 'link')));
  });
  router.delete('/api/drop-links/:id', async (ctx) => {
    await drops.revoke(actorOf(ctx), readId(ctx.params.id, 'link'));
    ctx.body = success({ done: true });
  });

  router.post('/d/:token/open', async (ctx) => {
    const sender = senderOf(ctx);
    const fields = new URLSearchParams((await rawBody(ctx, FORM_MAX)).toString('utf8'));
    requireOurs(sender, fields.get('form') ?? '');
    await drops.senders.noteOpened(sender);
    back(ctx, `/d/${encodeURIComponent(sender.token)}`);
  });

  router.post('/d/:token/files', async (ctx) => {
    const sender = senderOf(ctx);
    const page = `/d/${encodeURIComponent(sender.token)}`;
    showFaultsOn(ctx, page);
    try {
      const door = await drops.senders.door(sender);
      const files = await collecting.takeForm(door, { ip: sender.ip, slot: null }, ctx.req, (fields) =>
        requireOurs(sender, fields['form'] ?? ''),
      );
      const came = String(files.length - refusedOf(files).length);
      if (files.length === 0) back(ctx, page, { said: 'none' });
      else if (refusedOf(files).length > 0) back(ctx, page, [['n', came], ...refusedQuery(files)]);
      else back(ctx, page, { said: 'arrived', n: came });
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      back(ctx, page, { said: error.status === 429 ? 'wait' : error.code });
    }
  });

  router.post('/d/:token/bind', async (ctx) => {
    const sender = scriptOf(ctx);
    const { batch } = await read(ctx, bindDropped);
    ctx.body = success(await collecting.bind(await drops.senders.door(sender), null, batch));
  });

  const upload = async (ctx: Context): Promise<void> => {
    const sender = scriptOf(ctx);
    const door = await drops.senders.door(sender);
    const id = ctx.params.id === undefined ? {} : { id: String(ctx.params.id) };
    const path = `/d/${encodeURIComponent(sender.token)}/uploads`;
    await collecting.handleUpload(ctx, { door, sender, path, ...id });
  };
  router.post('/d/:token/uploads', upload);
  router.head('/d/:token/uploads/:id', upload);
  router.patch('/d/:token/uploads/:id', upload);
  router.delete('/d/:token/uploads/:id', upload);

  return router;
}
