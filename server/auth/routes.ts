import { Router } from '@koa/router';
import type { Context } from 'koa';
import { read } from '#server/http/body.ts';
import type { Origin } from '#server/http/context.ts';
import { actorOf, answer, leaverOf, originOf } from '#server/http/context.ts';
import { issueCsrfToken } from '#server/http/csrf.ts';
import { endSession, startSession } from '#server/http/session.ts';
import type { Joining } from './contract.ts';
import {
  credentials,
  deviceAlarm,
  emailConfirmation,
  forgotten,
  joining,
  passwordChange,
  passwordReset,
  profile,
  registration,
  secondStep,
} from './contract.ts';
import { passkeyAnswer, passkeyQuestion } from './passkeys/contract.ts';
import { deviceOf, keepDevice } from './device-cookie.ts';
import type { Auth } from './service.ts';
import type { Entry } from './sign-in.ts';

async function welcome(
  ctx: Context,
  { user, token, cookie }: Entry,
  device: string,
  message: string,
): Promise<void> {
  await startSession(ctx, cookie);
  keepDevice(ctx, device);
  issueCsrfToken(ctx);
  ctx.body = answer({ user, token }, { message });
}

async function farewell(ctx: Context, message: string): Promise<void> {
  // The browser asks us before it shows a small picture that it kept; better that none is left on an office computer.
  ctx.set('Clear-Site-Data', '"cache"');
  await endSession(ctx);
  issueCsrfToken(ctx);
  ctx.body = answer(null, { message });
}

/** Where from, and in which browser. */
const visitOf = (ctx: Context) => ({ ...originOf(ctx), device: deviceOf(ctx) });

const LINK_SENT =
  'If this address has an account, an e-mail with a link is on its way. The link works for one hour. Please check the spam folder too.';

/** Makes a user of one who was invited, and signs the user in. */
interface Invitations {
  join(input: Joining, visit: Origin): Promise<Entry>;
}

/** Getting in and out. */
export function authRoutes(auth: Auth, invitations: Invitations): Router {
  const router = new Router();

  router.get('/sanctum/csrf-cookie', (ctx) => {
    issueCsrfToken(ctx);
    ctx.status = 204;
  });

  router.post('/api/auth/register', async (ctx) => {
    const visit = visitOf(ctx);
    const entry = await auth.register(await read(ctx, registration), visit);
    await welcome(ctx, entry, visit.device, 'Account created successfully!');
    ctx.status = 201;
  });

  router.post('/api/auth/join', async (ctx) => {
    const visit = visitOf(ctx);
    const entry = await invitations.join(await read(ctx, joining), visit);
    await welcome(ctx, entry, visit.device, `Welcome to ${entry.user.firm_name}.`);
    ctx.status = 201;
  });

  router.post('/api/auth/login', async (ctx) => {
    const visit = visitOf(ctx);
    const outcome = await auth.signIn(await read(ctx, credentials), visit);
    if ('two_step' in outcome) ctx.body = answer(outcome, { message: 'Enter the code from your app.' });
    else await welcome(ctx, outcome, visit.device, `Successfully signed in as ${outcome.user.name}`);
  });

  router.post('/api/auth/login/code', async (ctx) => {
    const visit = visitOf(ctx);
    const entry = await auth.signInWithCode(await read(ctx, secondStep), visit);
    await welcome(ctx, entry, visit.device, `Successfully signed in as ${entry.user.name}`);
  });

  router.post('/api/auth/login/passkey/options', async (ctx) => {
    const { challenge } = await read(ctx, passkeyQuestion);
    ctx.body = answer(await auth.withPasskey.question(challenge));
  });

  router.post('/api/auth/login/passkey', async (ctx) => {
    const visit = visitOf(ctx);
    const { response } = await read(ctx, passkeyAnswer);
    const entry = await auth.withPasskey.signIn(response, visit);
    await welcome(ctx, entry, visit.device, `Successfully signed in as ${entry.user.name}`);
  });

  router.post('/api/auth/forgot-password', async (ctx) => {
    const { email } = await read(ctx, forgotten);
    await auth.forgot(email, originOf(ctx));
    ctx.body = answer(null, { message: LINK_SENT });
  });

  router.post('/api/auth/reset-password', async (ctx) => {
    await auth.resetPassword(await read(ctx, passwordReset), originOf(ctx));
    ctx.body = answer(null, { message: 'Your password is set. Sign in with it now.' });
  });

  router.get('/api/auth/user', async (ctx) => {
    ctx.body = answer({ user: await auth.viewer(actorOf(ctx)) });
  });

  router.post('/api/auth/logout', async (ctx) => {
    await auth.signOut(leaverOf(ctx));
    await farewell(ctx, 'You are signed out.');
  });

  router.post('/api/auth/logout-all', async (ctx) => {
    await auth.signOutAll(leaverOf(ctx));
    await farewell(ctx, 'You are signed out on all devices.');
  });

  router.put('/api/auth/profile', async (ctx) => {
    const { user, pendingEmail } = await auth.updateProfile(actorOf(ctx), await read(ctx, profile));
    const message = pendingEmail
      ? `We sent a link to ${pendingEmail}. Your e-mail address changes when you open it.`
      : 'Profile updated.';
    ctx.body = answer(user, { user, pending_email: pendingEmail, message });
  });

  router.post('/api/auth/confirm-email', async (ctx) => {
    const { token } = await read(ctx, emailConfirmation);
    await auth.emails.confirm(token, originOf(ctx));
    ctx.body = answer(null, {
      message: 'Your e-mail address is changed. Sign in with the new one from now on.',
    });
  });

  router.post('/api/auth/not-me', async (ctx) => {
    const { token } = await read(ctx, deviceAlarm);
    const reset_token = await auth.alarms.raise(token, originOf(ctx));
    ctx.body = answer({ reset_token }, { message: 'The device is signed out. Set a new password now.' });
  });

  router.post('/api/auth/change-password', async (ctx) => {
    await auth.changePassword(actorOf(ctx), await read(ctx, passwordChange));
    ctx.body = answer(null, { message: 'Password changed. Other devices are signed out.' });
  });

  return router;
}
