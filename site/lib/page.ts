import type { Actor } from '#server/actor.ts';
import type { UserView } from '#server/auth/contract.ts';
import type { AppError } from '#server/http/errors.ts';

/** The signed-in user of a page that the middleware protects. @throws {Error} on a public page. */
export function requireUser({ actor, viewer }: App.Locals): { actor: Actor; viewer: UserView } {
  if (!actor || !viewer)
    throw new Error('The page needs a signed-in user, but the middleware does not protect it.');
  return { actor, viewer };
}

const isAppError = (error: unknown): error is AppError => error instanceof Error && error.name === 'AppError';

/** Resolves to null if the service rejects with 404. */
export async function nullIfNotFound<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result;
  } catch (error) {
    if (isAppError(error) && error.status === 404) return null;
    throw error;
  }
}
