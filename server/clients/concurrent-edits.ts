import type { Knex } from 'knex';
import type { Audit } from '#server/audit/service.ts';
import type { Actor } from '#server/actor.ts';
import { AppError, conflict, missing } from '#server/http/errors.ts';
import { ago } from '#server/text/ago.ts';
import type { Clock } from '../clock.ts';

interface Told {
  audit: Pick<Audit, 'latest'>;
  clock: Clock;
}

const NOT_SAVED = 'Your changes are not saved.';

/** The refusal of an edit of a version that is no longer the present one; says who was faster. */
export async function changedError({ audit, clock }: Told, db: Knex, actor: Actor, id: number) {
  const last = await audit.latest(db, actor, {
    kind: 'client',
    refs: [id],
    did: ['client.update', 'client.import'],
  });
  const who = last?.userId === actor.userId ? 'You' : (last?.who ?? 'Somebody else');
  const when = last ? ago(last.at, clock()) : 'in the meantime';
  return conflict(`${who} changed this client ${when}. ${NOT_SAVED}`, 'client_changed');
}

/** What to throw instead of a 404: with who deleted the client, for one who may be told. */
export async function goneError({ audit, clock }: Told, db: Knex, actor: Actor, error: unknown, id: number) {
  if (!(error instanceof AppError) || error.status !== 404) return error;
  const last = await audit.latest(db, actor, { kind: 'client', refs: [id], did: ['client.delete'] });
  if (!last) return error;
  return missing(
    `This client was deleted${last.who === null ? '' : ` by ${last.who}`} ${ago(last.at, clock())}.`,
  );
}
