import { Router } from '@koa/router';
import { newAppPassword } from '#server/auth/app-passwords/contract.ts';
import { read } from '#server/http/body.ts';
import { actorOf, answer } from '#server/http/context.ts';
import { readId } from '#server/http/input.ts';
import type { DrivePasswords } from './passwords.ts';

/** What a signed-in person does about the passwords of programs. */
export function appPasswordRoutes({ drivePasswords }: { drivePasswords: DrivePasswords }): Router {
  const router = new Router({ prefix: '/api/app-passwords' });

  router.get('/', async (ctx) => {
    ctx.body = answer(await drivePasswords.list(actorOf(ctx), ctx.ip));
  });

  router.post('/', async (ctx) => {
    const { made, password } = await drivePasswords.create(actorOf(ctx), await read(ctx, newAppPassword));
    ctx.status = 201;
    ctx.body = answer({ ...made, password }, { message: 'The app password is ready.' });
  });

  router.delete('/:id', async (ctx) => {
    await drivePasswords.end(actorOf(ctx), readId(ctx.params.id, 'app password'));
    ctx.body = answer(null, { message: 'The app password has ended.' });
  });

  return router;
}
