import type { Actor } from '#server/actor.ts';
import type { UserView } from '#server/auth/contract.ts';
import type { AppError } from '#server/http/errors.ts';

/** Who looks at a page that the middleware shows to nobody else. @throws {Error} on a page for everybody. */
export function requireUser({ actor, viewer }: App.Locals): { actor: Actor; viewer: UserView } {
  if (!actor || !viewer)
    throw new Error('A page asks who is signed in, but the middleware lets everybody see it.');
  return { actor, viewer };
}

const isAppError = (error: unknown): error is AppError => error instanceof Error && error.name === 'AppError';

/** What a page is about; null where the service says that there is no such thing. */
export async function nullIfNotFound<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (isAppError(error) && error.status === 404) return null;
    throw error;
  }
}
