import { Router } from '@koa/router';
import type { Context } from 'koa';
import { read } from '#server/http/body.ts';
import { actorOf, answer, originOf } from '#server/http/context.ts';
import { issueCsrfToken } from '#server/http/csrf.ts';
import { endSession, startSession } from '#server/http/session.ts';
import { credentials, passwordChange, profile, registration } from './contract.ts';
import type { Auth, Entry } from './service.ts';

async function welcome(ctx: Context, { user, token, cookie }: Entry, message: string): Promise<void> {
  await startSession(ctx, cookie);
  issueCsrfToken(ctx);
  ctx.body = answer({ user, token }, { message });
}

async function farewell(ctx: Context, message: string): Promise<void> {
  await endSession(ctx);
  issueCsrfToken(ctx);
  ctx.body = answer(null, { message });
}

export function authRoutes(auth: Auth): Router {
  const router = new Router();

  router.get('/sanctum/csrf-cookie', (ctx) => {
    issueCsrfToken(ctx);
    ctx.status = 204;
  });

  router.post('/api/auth/register', async (ctx) => {
    const entry = await auth.register(await read(ctx, registration), originOf(ctx));
    await welcome(ctx, entry, 'Account created successfully!');
    ctx.status = 201;
  });

  router.post('/api/auth/login', async (ctx) => {
    const entry = await auth.signIn(await read(ctx, credentials), originOf(ctx));
    await welcome(ctx, entry, `Successfully signed in as ${entry.user.name}`);
  });

  router.get('/api/auth/user', async (ctx) => {
    ctx.body = answer({ user: await auth.viewer(actorOf(ctx)) });
  });

  router.post('/api/auth/logout', async (ctx) => {
    await auth.signOut(actorOf(ctx));
    await farewell(ctx, 'You are signed out.');
  });

  router.post('/api/auth/logout-all', async (ctx) => {
    await auth.signOutAll(actorOf(ctx));
    await farewell(ctx, 'You are signed out on all devices.');
  });

  router.put('/api/auth/profile', async (ctx) => {
    const user = await auth.updateProfile(actorOf(ctx), await read(ctx, profile));
    ctx.body = answer(user, { user, message: 'Profile updated.' });
  });

  router.post('/api/auth/change-password', async (ctx) => {
    await auth.changePassword(actorOf(ctx), await read(ctx, passwordChange));
    ctx.body = answer(null, { message: 'Password changed. Other devices are signed out.' });
  });

  return router;
}
