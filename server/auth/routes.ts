import { Router } from '@koa/router';
import type { Context } from 'koa';
import { read } from '#server/http/body.ts';
import type { Origin } from '#server/http/context.ts';
import { actorOf, success, signingOutActor, originOf } from '#server/http/context.ts';
import { issueCsrfToken } from '#server/http/csrf.ts';
import { endSession, startSession } from '#server/http/session.ts';
import type { Joining } from './contract.ts';
import {
  credentials,
  deviceAlarm,
  emailConfirmation,
  resetRequest,
  joining,
  passwordChange,
  passwordReset,
  profile,
  registration,
  secondStep,
} from './contract.ts';
import { passkeyResponse, passkeyRequest } from './passkeys/contract.ts';
import { deviceIdOf, setDeviceCookie } from './device-cookie.ts';
import type { Auth } from './service.ts';
import type { SignInResult } from './sign-in.ts';

async function respondSignedIn(
  ctx: Context,
  { user, token, cookie }: SignInResult,
  deviceId: string,
  message: string,
): Promise<void> {
  await startSession(ctx, cookie);
  setDeviceCookie(ctx, deviceId);
  issueCsrfToken(ctx);
  ctx.body = success({ user, token }, { message });
}

async function respondSignedOut(ctx: Context, message: string): Promise<void> {
  // The browser revalidates cached thumbnails, so this only keeps copies off a shared office computer.
  ctx.set('Clear-Site-Data', '"cache"');
  await endSession(ctx);
  issueCsrfToken(ctx);
  ctx.body = success(null, { message });
}

/** The origin with the device id of the browser. */
const deviceOriginOf = (ctx: Context) => ({ ...originOf(ctx), device: deviceIdOf(ctx) });

const LINK_SENT =
  'If this address has an account, an e-mail with a link is on its way. The link works for one hour. Please check the spam folder too.';
/** The same for every address: whether it has an account is not told. */
const LINK_STORED =
  'This server sends no e-mail. If this address has an account, whoever runs the server finds the link with “npm run admin -- outbox”. Ask them for it. The link works for one hour.';

/** Joins an invited person to the firm and signs them in. */
interface Invitations {
  join(input: Joining, origin: Origin): Promise<SignInResult>;
}

/** Registration, sign-in, sign-out, and the own profile. */
export function authRoutes(auth: Auth, invitations: Invitations): Router {
  const router = new Router();

  router.get('/sanctum/csrf-cookie', (ctx) => {
    issueCsrfToken(ctx);
    ctx.status = 204;
  });

  router.post('/api/auth/register', async (ctx) => {
    const origin = deviceOriginOf(ctx);
    const entry = await auth.register(await read(ctx, registration), origin);
    await respondSignedIn(ctx, entry, origin.device, 'Account created successfully!');
    ctx.status = 201;
  });

  router.post('/api/auth/join', async (ctx) => {
    const origin = deviceOriginOf(ctx);
    const entry = await invitations.join(await read(ctx, joining), origin);
    await respondSignedIn(ctx, entry, origin.device, `Welcome to ${entry.user.firm_name}.`);
    ctx.status = 201;
  });

  router.post('/api/auth/login', async (ctx) => {
    const origin = deviceOriginOf(ctx);
    const outcome = await auth.signIn(await read(ctx, credentials), origin);
    if ('two_step' in outcome) ctx.body = success(outcome, { message: 'Enter the code from your app.' });
    else await respondSignedIn(ctx, outcome, origin.device, `Successfully signed in as ${outcome.user.name}`);
  });

  router.post('/api/auth/login/code', async (ctx) => {
    const origin = deviceOriginOf(ctx);
    const entry = await auth.signInWithCode(await read(ctx, secondStep), origin);
    await respondSignedIn(ctx, entry, origin.device, `Successfully signed in as ${entry.user.name}`);
  });

  router.post('/api/auth/login/passkey/options', async (ctx) => {
    const { challenge } = await read(ctx, passkeyRequest);
    ctx.body = success(await auth.withPasskey.requestOptions(challenge));
  });

  router.post('/api/auth/login/passkey', async (ctx) => {
    const origin = deviceOriginOf(ctx);
    const { response } = await read(ctx, passkeyResponse);
    const entry = await auth.withPasskey.signIn(response, origin);
    await respondSignedIn(ctx, entry, origin.device, `Successfully signed in as ${entry.user.name}`);
  });

  router.post('/api/auth/forgot-password', async (ctx) => {
    const { email } = await read(ctx, resetRequest);
    await auth.requestReset(email, originOf(ctx));
    ctx.body = success(null, { message: auth.sendsEmail ? LINK_SENT : LINK_STORED });
  });

  router.post('/api/auth/reset-password', async (ctx) => {
    await auth.resetPassword(await read(ctx, passwordReset), originOf(ctx));
    ctx.body = success(null, { message: 'Your password has been set. Sign in with it now.' });
  });

  router.get('/api/auth/user', async (ctx) => {
    ctx.body = success({ user: await auth.viewer(actorOf(ctx)) });
  });

  router.post('/api/auth/logout', async (ctx) => {
    await auth.signOut(signingOutActor(ctx));
    await respondSignedOut(ctx, 'You are signed out.');
  });

  router.post('/api/auth/logout-all', async (ctx) => {
    await auth.signOutAll(signingOutActor(ctx));
    await respondSignedOut(
      ctx,
      'You are signed out on all devices. Connected programs and app passwords go on working.',
    );
  });

  router.put('/api/auth/profile', async (ctx) => {
    const { user, pendingEmail } = await auth.updateProfile(actorOf(ctx), await read(ctx, profile));
    const message = pendingEmail
      ? `We sent a link to ${pendingEmail}. Your e-mail address changes when you open it.`
      : 'Profile updated.';
    ctx.body = success(user, { user, pending_email: pendingEmail, message });
  });

  router.post('/api/auth/confirm-email', async (ctx) => {
    const { token } = await read(ctx, emailConfirmation);
    await auth.emails.confirm(token, originOf(ctx));
    ctx.body = success(null, {
      message: 'Your e-mail address has been changed. Sign in with the new one from now on.',
    });
  });

  router.post('/api/auth/not-me', async (ctx) => {
    const { token } = await read(ctx, deviceAlarm);
    const reset_token = await auth.alarms.raise(token, originOf(ctx));
    ctx.body = success({ reset_token }, { message: 'The device is signed out. Set a new password now.' });
  });

  router.post('/api/auth/change-password', async (ctx) => {
    await auth.changePassword(actorOf(ctx), await read(ctx, passwordChange));
    ctx.body = success(null, { message: 'Password changed. Other devices are signed out.' });
  });

  return router;
}
