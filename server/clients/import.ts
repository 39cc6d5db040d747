import type { Knex } from 'knex';
import type { Audit } from '#server/audit/service.ts';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import type { Retention } from '#server/documents/retention/service.ts';
import { AppError, conflict, forbidden, invalid } from '#server/http/errors.ts';
import type { Sheets } from '#server/sheets/service.ts';
import type { Clock } from '../clock.ts';
import type { ClientInput, ImportPreview } from './contract.ts';
import { CLIENT_STATUSES, CLIENT_TYPES } from './contract.ts';
import { Client } from './model.ts';
import { keptByRule } from './held.ts';
import type { Fields, Planned } from './import-plan.ts';
import { plan } from './import-plan.ts';
import { mayWrite } from './policy.ts';
import { readTable } from './table.ts';
import { assignToCreator } from '#server/visibility/assign.ts';
import { isVisibleClient, only } from '#server/visibility/visible.ts';
import type { Kind } from './totals.ts';
import { count } from './totals.ts';
import { expression } from '#server/db/sql.ts';

export interface ImportParts {
  db: Knex;
  clock: Clock;
  audit: Audit;
  sheets: Pick<Sheets, 'read'>;
  retention: Pick<Retention, 'ofClients'>;
  /** The columns of a client that follow from the others. */
  derived: (client: ClientInput) => Partial<Client>;
}

export interface Choices {
  /** Otherwise the one that looks most like a list of clients. */
  sheet?: string | undefined;
  /** Whether rows that are wrong are left out, instead of nothing being imported. */
  leave_out?: boolean;
  /** Of the preview that the user has seen. */
  as_of?: string | undefined;
}

const CHANGED_SINCE =
  'Somebody has changed the clients since this preview. Nothing was imported: look at the rows again.';
const BATCH = 200;
const KINDS: Kind[] = CLIENT_TYPES.flatMap((client_type) =>
  CLIENT_STATUSES.map((status) => ({ client_type, status })),
);
const isOf = (kind: Kind, one: Kind) => one.client_type === kind.client_type && one.status === kind.status;

/** A text that is another after any change of the clients that the actor sees: no id is given twice, and versions only go up. */
async function stateOf(db: Knex, actor: Actor): Promise<string> {
  const [row]: { state: string }[] = await only(db('clients'), isVisibleClient(actor))
    .where('firm_id', actor.firmId)
    .select(
      expression(db, `count(*) || '.' || coalesce(max(id), 0) || '.' || coalesce(sum(version), 0) AS state`),
    );
  return row!.state;
}

const otherType = ({ before, input }: Planned): boolean =>
  before !== null && input !== null && before.client_type !== input.client_type;

export function createImport({ db, clock, audit, sheets, retention, derived }: ImportParts) {
  async function look(actor: Actor, bytes: Buffer, fields: Fields | null, wanted: string | undefined) {
    const { rows, ...from } = await readTable(sheets, actor.firmId, bytes, wanted);
    // Before the clients themselves: what changes in between is then noticed.
    const as_of = await stateOf(db, actor);
    const clients = await only(Client.query(db).where('firm_id', actor.firmId), isVisibleClient(actor));
    const planned = plan(rows, fields, clients);
    const kept = await keptTypes(db, actor, planned.rows);
    for (const row of planned.rows) {
      const rule = row.before && kept.get(row.before.id);
      if (!rule || !otherType(row)) continue;
      Object.assign(row, { action: 'error', errors: { client_type: [keptByRule(rule)] }, input: null });
      planned.counts.update -= 1;
      planned.counts.error += 1;
    }
    return { ...planned, ...from, as_of };
  }

  /** The rules out of which another type would take documents, by client; none for one who may do that. */
  async function keptTypes(db: Knex, actor: Actor, rows: readonly Planned[]) {
    if (may(actor, 'retention.manage')) return new Map<number, { name: string }>();
    return retention.ofClients(
      db,
      rows.filter(otherType).map(({ before }) => before!.id),
    );
  }

  return {
    /** What an import would do; nothing is written. `fields` is null to have them guessed. @throws {AppError} 403, 422. */
    async preview(
      actor: Actor,
      bytes: Buffer,
      fields: Fields | null,
      { sheet }: Choices = {},
    ): Promise<ImportPreview> {
      if (!mayWrite(actor)) throw forbidden();
      const { rows, ...found } = await look(actor, bytes, fields, sheet);
      return { ...found, rows: rows.map(({ input: _input, before: _before, ...row }) => row) };
    },

    /**
     * Writes all rows, or none; all that are right, if so chosen.
     * @throws {AppError} 403; 409 `clients_changed` when a client was added, changed or deleted since `as_of`, or while
     *   the file was read; 422 on `file` when it can't be read, 422 `import_errors` when a row is wrong.
     */
    async run(
      actor: Actor,
      bytes: Buffer,
      fields: Fields | null,
      { sheet, leave_out = false, as_of }: Choices = {},
    ) {
      if (!mayWrite(actor)) throw forbidden();
      if (!fields?.includes('name')) throw invalid({ mapping: ['Choose the Name column'] });
      const found = await look(actor, bytes, fields, sheet);
      const { rows: planned, counts } = found;
      const demandState = (state: string) => {
        if (state !== (as_of ?? found.as_of)) throw conflict(CHANGED_SINCE, 'clients_changed');
      };
      demandState(found.as_of);
      if (counts.error > 0 && !leave_out) {
        const { line, errors } = planned.find(({ action }) => action === 'error')!;
        const message = `Nothing was imported: ${counts.error} of ${planned.length} rows are wrong. Line ${line}: ${Object.values(errors)[0]?.[0]}`;
        throw new AppError(422, 'import_errors', message, { errors: { file: [message] } });
      }
      const now = clock().toISOString();
      const written = planned.filter(({ action }) => action === 'create' || action === 'update');
      const rows = written.map(({ input, before }) => ({
        ...(before && { id: before.id }),
        firm_id: actor.firmId,
        ...input!,
        ...derived(input!),
        version: (before?.version ?? 0) + 1,
        created_at: before?.created_at ?? now,
        updated_at: now,
      }));
      await db.transaction(async (trx) => {
        demandState(await stateOf(trx, actor));
        // A rule, or the first document of a client, may have come in between.
        if ((await keptTypes(trx, actor, written)).size > 0) throw conflict(CHANGED_SINCE, 'clients_changed');
        const known = rows.filter(({ id }) => id !== undefined);
        for (let at = 0; at < known.length; at += BATCH)
          await trx('clients')
            .insert(known.slice(at, at + BATCH))
            .onConflict('id')
            .merge();
        const added = rows.filter(({ id }) => id === undefined);
        for (let at = 0; at < added.length; at += BATCH) {
          const made: { id: number }[] = await trx('clients')
            .insert(added.slice(at, at + BATCH))
            .returning('id');
          await assignToCreator(
            trx,
            actor,
            made.map(({ id }) => id),
          );
        }
        for (const kind of KINDS) {
          const of = (clients: (Kind | null)[]) => clients.filter((one) => one && isOf(kind, one)).length;
          const more = of(rows) - of(written.map(({ before }) => before));
          if (more !== 0) await count(trx, actor.firmId, kind, more);
        }
        await audit.record(trx, {
          actor,
          did: 'client.import',
          detail: { created: counts.create, updated: counts.update },
          concerns: { clients: written.flatMap(({ before }) => before?.id ?? []) },
        });
      });
      return {
        created: counts.create,
        updated: counts.update,
        unchanged: counts.same,
        left_out: counts.error,
      };
    },
  };
}
