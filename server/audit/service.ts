import type { Knex } from 'knex';
import type { Clock } from '../clock.ts';
import { currentScope } from '#server/http/scope.ts';
import type { AuditEntry } from './contract.ts';

/** The trail of what was done: rows are only ever added, which the database itself enforces. */
export function createAudit({ db, clock }: { db: Knex; clock: Clock }) {
  return {
    /**
     * Adds a row, in the transaction of what it tells about if that has one. Address and request id are those of the
     * request that is being answered.
     */
    async record(trx: Knex | null, entry: AuditEntry): Promise<void> {
      const scope = currentScope();
      await (trx ?? db)('audit_events').insert({
        firm_id: entry.actor?.firmId ?? entry.firmId ?? null,
        user_id: entry.actor?.userId ?? entry.userId ?? null,
        did: entry.did,
        subject: entry.subject ?? null,
        detail: JSON.stringify(entry.detail ?? {}),
        ip: entry.ip ?? scope?.ip ?? null,
        request_id: scope?.requestId ?? null,
        at: clock().toISOString(),
      });
    },
  };
}
export type Audit = ReturnType<typeof createAudit>;
