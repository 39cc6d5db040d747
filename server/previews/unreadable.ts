import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import { AppError } from '#server/http/errors.ts';

const HERE =
  'This file cannot be shown: it is damaged, too complex, or opens only with a password. Ask an admin of your firm for it.';

/** The error for an unreadable file, with advice that depends on the actor's download permission. */
export const unreadable = (actor: Actor): AppError =>
  new AppError(
    422,
    'unreadable',
    may(actor, 'documents.download') ? 'This file cannot be shown. Download it instead.' : HERE,
  );
