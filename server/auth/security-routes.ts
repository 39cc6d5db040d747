import { Router } from '@koa/router';
import { renderSVG } from 'uqr';
import { read } from '#server/http/body.ts';
import { actorOf, success } from '#server/http/context.ts';
import { readId } from '#server/http/input.ts';
import { passwordAndCode, codeOnly, optionalPassword, passwordOnly } from './contract.ts';
import { newPasskey, passkeyName, passkeyRemoval, identityProof } from './passkeys/contract.ts';
import type { Auth } from './service.ts';

/** Two-step sign-in, passkeys, devices and proofs of identity of the signed-in user. */
export function securityRoutes({ twoStep, devices, passkeys, stepUp }: Auth): Router {
  const router = new Router({ prefix: '/api/auth' });

  router.get('/two-step', async (ctx) => {
    ctx.body = success(await twoStep.status(actorOf(ctx)));
  });

  router.post('/two-step/setup', async (ctx) => {
    const { current_password } = await read(ctx, passwordOnly);
    const setup = await twoStep.setUp(actorOf(ctx), current_password);
    ctx.body = success({ ...setup, qr: renderSVG(setup.address, { border: 2, ecc: 'M' }) });
  });

  router.post('/two-step/confirm', async (ctx) => {
    const { code } = await read(ctx, codeOnly);
    const recovery_codes = await twoStep.confirm(actorOf(ctx), code);
    ctx.body = success({ recovery_codes }, { message: 'Two-step sign-in is on.' });
  });

  router.post('/two-step/disable', async (ctx) => {
    const { current_password, code } = await read(ctx, passwordAndCode);
    await twoStep.switchOff(actorOf(ctx), current_password, code);
    ctx.body = success(null, { message: 'Two-step sign-in is off.' });
  });

  router.post('/two-step/recovery-codes', async (ctx) => {
    const { current_password } = await read(ctx, optionalPassword);
    const recovery_codes = await twoStep.renewCodes(actorOf(ctx), current_password);
    ctx.body = success({ recovery_codes }, { message: 'The old recovery codes no longer work.' });
  });

  router.get('/prove', async (ctx) => {
    ctx.body = success(await stepUp.ways(actorOf(ctx)));
  });

  router.post('/prove/passkey', async (ctx) => {
    ctx.body = success(await stepUp.requestOptions(actorOf(ctx)));
  });

  router.post('/prove', async (ctx) => {
    await stepUp.prove(actorOf(ctx), await read(ctx, identityProof));
    ctx.body = success(null, { message: 'Thank you. You can go on.' });
  });

  router.get('/passkeys', async (ctx) => {
    ctx.body = success(await passkeys.list(actorOf(ctx)));
  });

  router.post('/passkeys/options', async (ctx) => {
    const { current_password } = await read(ctx, passwordOnly);
    ctx.body = success(await passkeys.begin(actorOf(ctx), current_password));
  });

  router.post('/passkeys', async (ctx) => {
    ctx.body = success(await passkeys.add(actorOf(ctx), await read(ctx, newPasskey)), {
      message: 'The passkey is added.',
    });
    ctx.status = 201;
  });

  router.patch('/passkeys/:id', async (ctx) => {
    const { name } = await read(ctx, passkeyName);
    ctx.body = success(await passkeys.rename(actorOf(ctx), readId(ctx.params.id, 'passkey'), name));
  });

  router.post('/passkeys/:id/remove', async (ctx) => {
    const { current_password } = await read(ctx, passkeyRemoval);
    await passkeys.remove(actorOf(ctx), readId(ctx.params.id, 'passkey'), current_password);
    ctx.body = success(null, { message: 'The passkey is removed.' });
  });

  router.get('/sessions', async (ctx) => {
    ctx.body = success(await devices.list(actorOf(ctx), ctx.ip));
  });

  router.delete('/sessions/:id', async (ctx) => {
    await devices.signOut(actorOf(ctx), readId(ctx.params.id, 'device'));
    ctx.body = success(null, { message: 'The device is signed out.' });
  });

  router.post('/logout-others', async (ctx) => {
    const ended = await devices.signOutOthers(actorOf(ctx));
    ctx.body = success({ ended }, { message: 'All other devices are signed out.' });
  });

  return router;
}
