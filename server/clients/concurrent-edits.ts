import type { Knex } from 'knex';
import type { Audit } from '#server/audit/service.ts';
import type { Actor } from '#server/actor.ts';
import { AppError, conflict, missing } from '#server/http/errors.ts';
import { ago } from '#server/text/ago.ts';
import type { Clock } from '../clock.ts';

interface ConflictDependencies {
  audit: Pick<Audit, 'latest'>;
  clock: Clock;
}

const NOT_SAVED = 'Your changes are not saved.';

/** The error for an edit of an outdated version; names the user who made the newer change. */
export async function changedError(
  { audit, clock }: ConflictDependencies,
  db: Knex,
  actor: Actor,
  id: number,
) {
  const last = await audit.latest(db, actor, {
    kind: 'client',
    refs: [id],
    did: ['client.update', 'client.import'],
  });
  const who = last?.userId === actor.userId ? 'You' : (last?.who ?? 'Somebody else');
  const when = last ? ago(last.at, clock()) : 'in the meantime';
  return conflict(`${who} changed this client ${when}. ${NOT_SAVED}`, 'client_changed');
}

/** Adds who deleted the client to a 404, for an actor who may see that. */
export async function goneError(
  { audit, clock }: ConflictDependencies,
  db: Knex,
  actor: Actor,
  error: unknown,
  id: number,
) {
  if (!(error instanceof AppError) || error.status !== 404) return error;
  const last = await audit.latest(db, actor, { kind: 'client', refs: [id], did: ['client.delete'] });
  if (!last) return error;
  return missing(
    `This client was deleted${last.who === null ? '' : ` by ${last.who}`} ${ago(last.at, clock())}.`,
  );
}
