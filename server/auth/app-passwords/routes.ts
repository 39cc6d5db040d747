import { Router } from '@koa/router';
import { read } from '#server/http/body.ts';
import { actorOf, success } from '#server/http/context.ts';
import { readId } from '#server/http/input.ts';
import { newAppPassword } from './contract.ts';
import type { DrivePasswords } from './drive-passwords.ts';

/** Management of app passwords by the signed-in user. */
export function appPasswordRoutes({ drivePasswords }: { drivePasswords: DrivePasswords }): Router {
  const router = new Router({ prefix: '/api/app-passwords' });

  router.get('/', async (ctx) => {
    ctx.body = success(await drivePasswords.list(actorOf(ctx), ctx.ip));
  });

  router.post('/', async (ctx) => {
    const { made, password } = await drivePasswords.create(actorOf(ctx), await read(ctx, newAppPassword));
    ctx.status = 201;
    ctx.body = success({ ...made, password }, { message: 'The app password is ready.' });
  });

  router.delete('/:id', async (ctx) => {
    await drivePasswords.end(actorOf(ctx), readId(ctx.params.id, 'app password'));
    ctx.body = success(null, { message: 'The app password has ended.' });
  });

  return router;
}
