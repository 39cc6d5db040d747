import type Koa from 'koa';
import type { Context, Middleware } from 'koa';
import session from 'koa-session';
import type { Actor } from '#server/actor.ts';
import type { Identity, RequestState } from './context.ts';
import { Barred, originOf } from './context.ts';
import { unauthenticated } from './errors.ts';
import { SESSION_LIFETIME_MS } from './session-lifetime.ts';

/** On https the `__Host-` prefix makes browsers accept this cookie from this host alone. */
export const sessionCookie = (ctx: Context): string =>
  ctx.cookies.secure ? '__Host-almirah_session' : 'almirah_session';

function bearerOf(ctx: Context): string | null {
  return /^bearer +(\S+)$/i.exec(ctx.get('authorization'))?.[1] ?? null;
}

/** The actor, or null and the reason outside the user's work hours or networks. */
const identityOf = (identified: Promise<Actor | null>): Promise<Pick<RequestState, 'actor' | 'barred'>> =>
  identified.then(
    (actor) => ({ actor }),
    (error: unknown) => {
      if (!(error instanceof Barred)) throw error;
      return { actor: null, barred: error };
    },
  );

/**
 * Identifies the user with one query: by the bearer token if there is one, otherwise by the session cookie. The
 * cookie is koa-session's; its store is the table of sign-ins, whose rows are created by a sign-in and not by a
 * visit.
 */
export function identifyUser(app: Koa, identity: Identity, https: boolean): Middleware {
  const cookies = session(
    {
      key: https ? '__Host-almirah_session' : 'almirah_session',
      maxAge: SESSION_LIFETIME_MS,
      httpOnly: true,
      sameSite: 'lax',
      secure: https,
      signed: true,
      // A page sends its headers before the middleware returns: code that changes the session commits it itself.
      autoCommit: false,
      genid: (ctx: Context) => (ctx.state as RequestState).nextCookie ?? '',
      store: {
        async get(secret: string, _maxAge: unknown, { ctx }: { ctx?: Context }) {
          const { actor, barred } = await identityOf(identity.identifyByCookie(secret));
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
    state.requireLiveSession = async () => {
      if (state.actor && !(await identity.again(state.actor))) throw unauthenticated();
    };
    if (state.bearer === null) return ctx.get('cookie') ? cookies(ctx, next) : next();
    Object.assign(state, await identityOf(identity.identifyByToken(state.bearer, originOf(ctx))));
    return next();
  };
}

/** Sets the cookie of a new sign-in and ends the previous session of this browser. */
export async function startSession(ctx: Context, secret: string): Promise<void> {
  ctx.session ??= {};
  (ctx.state as RequestState).nextCookie = secret;
  await ctx.session.regenerate();
}

/** Clears the session cookie; the caller ends the row. */
export async function endSession(ctx: Context): Promise<void> {
  const { session: ending } = ctx;
  (ctx.state as RequestState).nextCookie = '';
  ctx.session = null;
  await ending?.manuallyCommit();
}
