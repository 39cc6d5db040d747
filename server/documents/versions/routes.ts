import { Router } from '@koa/router';
import { read } from '#server/http/body.ts';
import { actorOf, success } from '#server/http/context.ts';
import { readId } from '#server/http/input.ts';
import { keepVersion } from './contract.ts';
import type { VersionRef } from './contract.ts';
import type { Versions } from './service.ts';

/** @throws {AppError} 404 when a parameter is not an id. */
const readVersion = ({ id, version }: Record<string, string | undefined>): VersionRef => ({
  item: readId(id, 'item'),
  version: readId(version, 'version'),
});

/** Routes for the versions of a file, except downloads. */
export function versionRoutes({ versions }: { versions: Versions }): Router {
  const router = new Router({ prefix: '/api/documents/:id/versions' });

  router.get('/', async (ctx) => {
    ctx.body = success(await versions.list(actorOf(ctx), readId(ctx.params.id, 'item')));
  });

  router.post('/:version/download-token', async (ctx) => {
    const inline = ctx.query.inline === '1';
    const download_url = await versions.downloadUrl(actorOf(ctx), readVersion(ctx.params), { inline });
    ctx.body = success({ download_url }, { download_url });
  });

  router.post('/:version/restore', async (ctx) => {
    const undo = ctx.query.undo === '1';
    const list = await versions.restore(actorOf(ctx), readVersion(ctx.params), { undo });
    ctx.body = success(list, { message: 'Version restored.' });
  });

  router.patch('/:version', async (ctx) => {
    const actor = actorOf(ctx);
    const item = readId(ctx.params.id, 'item');
    const version = ctx.params.version === 'current' ? null : readVersion(ctx.params).version;
    const { kept_as } = await read(ctx, keepVersion);
    ctx.body = success(await versions.keep(actor, { item, version }, kept_as));
  });

  router.delete('/:version', async (ctx) => {
    const list = await versions.remove(actorOf(ctx), readVersion(ctx.params));
    ctx.body = success(list, { message: 'Version deleted.' });
  });

  return router;
}
