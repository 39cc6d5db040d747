import { Router } from '@koa/router';
import { renderSVG } from 'uqr';
import { read } from '#server/http/body.ts';
import { actorOf, answer } from '#server/http/context.ts';
import { readId } from '#server/http/input.ts';
import { bothProofs, codeProof, passwordProof } from './contract.ts';
import type { Auth } from './service.ts';

/** What a signed-in user sets about signing in: two-step sign-in and devices. */
export function securityRoutes({ twoStep, devices }: Auth): Router {
  const router = new Router({ prefix: '/api/auth' });

  router.get('/two-step', async (ctx) => {
    ctx.body = answer(await twoStep.status(actorOf(ctx)));
  });

  router.post('/two-step/setup', async (ctx) => {
    const { current_password } = await read(ctx, passwordProof);
    const setup = await twoStep.setUp(actorOf(ctx), current_password);
    ctx.body = answer({ ...setup, qr: renderSVG(setup.address, { border: 2, ecc: 'M' }) });
  });

  router.post('/two-step/confirm', async (ctx) => {
    const { code } = await read(ctx, codeProof);
    const recovery_codes = await twoStep.confirm(actorOf(ctx), code);
    ctx.body = answer({ recovery_codes }, { message: 'Two-step sign-in is on.' });
  });

  router.post('/two-step/disable', async (ctx) => {
    const { current_password, code } = await read(ctx, bothProofs);
    await twoStep.switchOff(actorOf(ctx), current_password, code);
    ctx.body = answer(null, { message: 'Two-step sign-in is off.' });
  });

  router.post('/two-step/recovery-codes', async (ctx) => {
    const { current_password } = await read(ctx, passwordProof);
    const recovery_codes = await twoStep.renewCodes(actorOf(ctx), current_password);
    ctx.body = answer({ recovery_codes }, { message: 'The old recovery codes no longer work.' });
  });

  router.get('/sessions', async (ctx) => {
    ctx.body = answer(await devices.list(actorOf(ctx), ctx.ip));
  });

  router.delete('/sessions/:id', async (ctx) => {
    await devices.signOut(actorOf(ctx), readId(ctx.params.id, 'device'));
    ctx.body = answer(null, { message: 'The device is signed out.' });
  });

  router.post('/logout-others', async (ctx) => {
    const ended = await devices.signOutOthers(actorOf(ctx));
    ctx.body = answer({ ended }, { message: 'All other devices are signed out.' });
  });

  return router;
}
