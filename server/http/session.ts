import type Koa from 'koa';
import type { Context, Middleware } from 'koa';
import session from 'koa-session';
import type { Actor } from '#server/actor.ts';
import type { Identity, RequestState } from './context.ts';
import { Barred, originOf } from './context.ts';

const DAYS_90 = 90 * 24 * 60 * 60 * 1000;

/** On https the prefix makes browsers refuse a cookie of this name from anyone but this host. */
export const sessionCookie = (ctx: Context): string =>
  ctx.cookies.secure ? '__Host-almirah_session' : 'almirah_session';

function bearerOf(ctx: Context): string | null {
  return /^bearer +(\S+)$/i.exec(ctx.get('authorization'))?.[1] ?? null;
}

/** The actor of the request; outside the user's work hours or networks none, and the reason. */
const met = (identified: Promise<Actor | null>): Promise<Pick<RequestState, 'actor' | 'barred'>> =>
  identified.then(
    (actor) => ({ actor }),
    (error: unknown) => {
      if (!(error instanceof Barred)) throw error;
      return { actor: null, barred: error };
    },
  );

/**
 * Finds out who is asking, with one query: by the bearer token if there is one, otherwise by the cookie. The cookie is
 * koa-session's; its store is the table of sign-ins, whose rows are made by signing in and not by visiting.
 */
export function identifies(app: Koa, identity: Identity, https: boolean): Middleware {
  const cookies = session(
    {
      key: https ? '__Host-almirah_session' : 'almirah_session',
      maxAge: DAYS_90,
      httpOnly: true,
      sameSite: 'lax',
      secure: https,
      signed: true,
      // The headers of a page are gone before the middleware returns: whoever changes the session commits it.
      autoCommit: false,
      genid: (ctx: Context) => (ctx.state as RequestState).nextCookie ?? '',
      store: {
        async get(secret: string, _maxAge: unknown, { ctx }: { ctx?: Context }) {
          const { actor, barred } = await met(identity.identifyByCookie(secret));
          if (ctx) Object.assign(ctx.state, { actor, barred });
          const known = actor ?? barred?.actor;
          return known ? { id: known.sessionId } : undefined;
        },
        set: async () => {},
        destroy: (secret: string) => identity.endByCookie(secret),
      },
    },
    app,
  );

  return async (ctx, next) => {
    const state = ctx.state as RequestState;
    state.bearer = bearerOf(ctx);
    if (state.bearer === null) return ctx.get('cookie') ? cookies(ctx, next) : next();
    Object.assign(state, await met(identity.identifyByToken(state.bearer, originOf(ctx))));
    return next();
  };
}

/** Gives the browser the cookie of a new sign-in and ends the one that it held before. */
export async function startSession(ctx: Context, secret: string): Promise<void> {
  ctx.session ??= {};
  (ctx.state as RequestState).nextCookie = secret;
  await ctx.session.regenerate();
}

/** Takes the session cookie back; the row is ended by whoever calls this. */
export async function endSession(ctx: Context): Promise<void> {
  const { session: ending } = ctx;
  (ctx.state as RequestState).nextCookie = '';
  ctx.session = null;
  await ending?.manuallyCommit();
}
