import type { Knex } from 'knex';
import type { Clock } from '../clock.ts';
import { currentScope } from '#server/http/scope.ts';
import type { Actor } from '#server/auth/contract.ts';
import type { DeferredWrites } from '#server/db/deferred-writes.ts';
import type { AuditEntry, AuditPage, AuditQuery } from './contract.ts';
import { mayReadHistory } from './policy.ts';
import { historyCsv, page } from './read.ts';
import { forbidden } from '#server/http/errors.ts';

/** The trail of what was done: rows are only ever added, which the database itself enforces. */
export function createAudit({
  db,
  clock,
  deferred,
}: {
  db: Knex;
  clock: Clock;
  /** Keeps what has no room on the disk until there is some; without it, a row that cannot be added is an error. */
  deferred?: Pick<DeferredWrites, 'write'>;
}) {
  const demand = (actor: Actor) => {
    if (!mayReadHistory(actor)) throw forbidden();
  };

  return {
    /** The firm's history, the newest first. @throws {AppError} 403. */
    async list(actor: Actor, query: AuditQuery): Promise<AuditPage> {
      demand(actor);
      return page(db, actor.firmId, query);
    },

    /** The whole of it as CSV, with its size in bytes, made while it is read. @throws {AppError} 403. */
    async csv(actor: Actor) {
      demand(actor);
      return historyCsv(db, actor.firmId);
    },

    /**
     * Adds a row, in the transaction of what it tells about if that has one. Without one, as of a download, it may be
     * added later: a full disk keeps nobody from reading. Address and request id are those of the request that is being
     * answered.
     */
    async record(trx: Knex | null, entry: AuditEntry): Promise<void> {
      const scope = currentScope();
      const row = {
        firm_id: entry.actor?.firmId ?? entry.firmId ?? null,
        user_id: entry.actor?.userId ?? entry.userId ?? null,
        did: entry.did,
        subject: entry.subject ?? null,
        detail: JSON.stringify(entry.detail ?? {}),
        ip: entry.ip ?? scope?.ip ?? null,
        request_id: scope?.requestId ?? null,
        at: clock().toISOString(),
      };
      const add = () => (trx ?? db)('audit_events').insert(row);
      if (trx || !deferred) await add();
      else await deferred.write(add);
    },
  };
}
export type Audit = ReturnType<typeof createAudit>;
