import type { Knex } from 'knex';
import type { Audit } from '#server/audit/service.ts';
import type { Actor } from '#server/actor.ts';
import { AppError, conflict, forbidden, invalid } from '#server/http/errors.ts';
import type { Sheets } from '#server/sheets/service.ts';
import type { Clock } from '../clock.ts';
import type { ClientInput, EndingView, ImportPreview } from './contract.ts';
import { CLIENT_STATUSES, CLIENT_TYPES } from './contract.ts';
import { Client } from './model.ts';
import type { Fields, PlannedRow } from './import-plan.ts';
import { countActions, plan } from './import-plan.ts';
import { mayWrite } from './policy.ts';
import type { Refusals } from './refused-changes.ts';
import { readTable } from './import-table.ts';
import { assignToCreator } from '#server/visibility/assignments.ts';
import { isVisibleClient, only } from '#server/visibility/visible.ts';
import type { Kind } from './totals.ts';
import { count } from './totals.ts';
import { expression } from '#server/db/sql.ts';

/** The pages of clients, and the links by which they send files. */
export interface ClientPages {
  /**
   * Closes the pages of these clients to those whose address does not open them any more.
   * @returns the shared links to cut after the transaction.
   */
  shutOutRemoved: (trx: Knex.Transaction, clientIds: Iterable<number>) => Promise<number[]>;
  /** Closes the pages of a client to all. @returns as `shutOutRemoved`. */
  shutPagesOf: (trx: Knex.Transaction, clientId: number) => Promise<number[]>;
  /** What ends with a client. */
  endingWith: (db: Knex, clientId: number) => Promise<EndingView>;
  /** Records the requests that end with a client. */
  recordEnd: (trx: Knex.Transaction, actor: Actor, clientId: number) => Promise<void>;
  /** Cuts the running downloads through a shared link. */
  cutLink: (linkId: number) => void;
  /** Cancels the uploads through links that have ended with a client of the firm. */
  cancelUploads: (firmId: number) => Promise<unknown>;
  /** Lets what is sent to clients by e-mail follow their addresses. */
  followAddresses: (
    trx: Knex.Transaction,
    changes: readonly { id: number; before: string | null; after: string | null }[],
  ) => Promise<void>;
}

/** Called in the transaction that changes clients, since passwords of their PDFs are derived from their data. */
export type DataChanged = (
  trx: Knex.Transaction,
  firmId: number,
  changes: readonly { before: Client; after: Pick<Client, 'name' | 'pan' | 'born_on'> }[],
) => Promise<void>;

interface ImportDependencies {
  db: Knex;
  clock: Clock;
  audit: Audit;
  sheets: Pick<Sheets, 'read'>;
  refusals: Refusals;
  pages: ClientPages;
  dataChanged: DataChanged;
  /** Computes the derived columns of a client. */
  derived: (client: ClientInput) => Partial<Client>;
}

export interface Choices {
  /** Defaults to the sheet that looks most like a list of clients. */
  sheet?: string | undefined;
  /** Whether to skip faulty rows instead of refusing the import. */
  leave_out?: boolean;
  /** The lines of rows that are not imported, faulty or not. */
  skip?: readonly number[];
  /** The `as_of` of the preview that the user has seen. */
  as_of?: string | undefined;
}

const CHANGED_SINCE =
  'Somebody has changed the clients since this preview. Nothing was imported: look at the rows again.';
const INSERT_BATCH = 200;
const KINDS: Kind[] = CLIENT_TYPES.flatMap((client_type) =>
  CLIENT_STATUSES.map((status) => ({ client_type, status })),
);
const isSameKind = (kind: Kind, other: Kind) =>
  other.client_type === kind.client_type && other.status === kind.status;

/**
 * A fingerprint of the clients that the actor sees, which changes with every change: ids are never reused, and
 * versions only increase.
 */
async function stateOf(db: Knex, actor: Actor): Promise<string> {
  const [row]: { state: string }[] = await only(db('clients'), isVisibleClient(actor))
    .where('firm_id', actor.firmId)
    .select(
      expression(db, `count(*) || '.' || coalesce(max(id), 0) || '.' || coalesce(sum(version), 0) AS state`),
    );
  return row!.state;
}

export function createImport({
  db,
  clock,
  audit,
  sheets,
  refusals,
  pages,
  dataChanged,
  derived,
}: ImportDependencies) {
  async function readAndPlan(
    actor: Actor,
    bytes: Buffer,
    fields: Fields | null,
    { sheet, skipped = null }: { sheet: string | undefined; skipped?: ReadonlySet<number> | null },
  ) {
    const { rows, ...from } = await readTable(sheets, actor.firmId, bytes, sheet);
    // Read before the clients, so that a change in between is noticed.
    const as_of = await stateOf(db, actor);
    const clients = await only(Client.query(db).where('firm_id', actor.firmId), isVisibleClient(actor));
    const planned = plan(rows, fields, clients, skipped);
    const refused = await refusedRows(db, actor, planned.rows);
    for (const row of planned.rows) {
      const refusal = row.action === 'update' && refused.get(row.before!.id);
      if (!refusal) continue;
      Object.assign(row, {
        action: 'error',
        errors: refusal.errors,
        input: null,
        changes: [],
        renames: false,
      });
    }
    return { ...planned, counts: countActions(planned.rows), ...from, as_of };
  }

  /** The refused changes, by client. */
  const refusedRows = (db: Knex, actor: Actor, rows: readonly PlannedRow[]) =>
    refusals(
      db,
      actor,
      rows.flatMap(({ before, input }) => (before && input ? [{ before, after: input }] : [])),
    );

  return {
    /** Previews an import without writing. `fields` is null to guess the columns. @throws {AppError} 403, 422. */
    async preview(
      actor: Actor,
      bytes: Buffer,
      fields: Fields | null,
      { sheet }: Choices = {},
    ): Promise<ImportPreview> {
      if (!mayWrite(actor)) throw forbidden();
      const { rows, ...found } = await readAndPlan(actor, bytes, fields, { sheet });
      return { ...found, rows: rows.map(({ input: _input, before: _before, ...row }) => row) };
    },

    /**
     * Imports all rows or none, but for the skipped ones; with `leave_out` all valid rows.
     * @throws {AppError} 403; 409 `clients_changed` when a client was added, changed or deleted since `as_of` or
     * while the file was read; 422 on `file` for an unreadable file, 422 `import_errors` for a faulty row.
     */
    async run(
      actor: Actor,
      bytes: Buffer,
      fields: Fields | null,
      { sheet, leave_out = false, skip = [], as_of }: Choices = {},
    ) {
      if (!mayWrite(actor)) throw forbidden();
      if (!fields?.includes('name')) throw invalid({ mapping: ['Choose the Name column'] });
      const skipped = new Set(skip);
      const found = await readAndPlan(actor, bytes, fields, { sheet, skipped });
      const planned = found.rows.filter(({ line }) => !skipped.has(line));
      const counts = countActions(planned);
      const requireState = (state: string) => {
        if (state !== (as_of ?? found.as_of)) throw conflict(CHANGED_SINCE, 'clients_changed');
      };
      requireState(found.as_of);
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
      const links = await db.transaction(async (trx) => {
        requireState(await stateOf(trx, actor));
        // A rule, the first document of a client or its page may have been added in between.
        if ((await refusedRows(trx, actor, written)).size > 0)
          throw conflict(CHANGED_SINCE, 'clients_changed');
        const updates = rows.filter(({ id }) => id !== undefined);
        for (let start = 0; start < updates.length; start += INSERT_BATCH)
          await trx('clients')
            .insert(updates.slice(start, start + INSERT_BATCH))
            .onConflict('id')
            .merge();
        const inserts = rows.filter(({ id }) => id === undefined);
        for (let start = 0; start < inserts.length; start += INSERT_BATCH) {
          const inserted: { id: number }[] = await trx('clients')
            .insert(inserts.slice(start, start + INSERT_BATCH))
            .returning('id');
          await assignToCreator(
            trx,
            actor,
            inserted.map(({ id }) => id),
          );
        }
        for (const kind of KINDS) {
          const of = (clients: (Kind | null)[]) =>
            clients.filter((other) => other && isSameKind(kind, other)).length;
          const more = of(rows) - of(written.map(({ before }) => before));
          if (more !== 0) await count(trx, actor.firmId, kind, more);
        }
        const changes = written.flatMap(({ before, input }) => (before ? [{ before, after: input! }] : []));
        await dataChanged(trx, actor.firmId, changes);
        await audit.record(trx, {
          actor,
          did: 'client.import',
          detail: { created: counts.create, updated: counts.update },
          concerns: { clients: written.flatMap(({ before }) => before?.id ?? []) },
        });
        await pages.followAddresses(
          trx,
          written.flatMap(({ before, input }) =>
            before && before.email !== input!.email
              ? [{ id: before.id, before: before.email, after: input!.email }]
              : [],
          ),
        );
        return pages.shutOutRemoved(
          trx,
          updates.flatMap(({ id }) => id ?? []),
        );
      });
      for (const link of links) pages.cutLink(link);
      return {
        created: counts.create,
        updated: counts.update,
        unchanged: counts.same,
        left_out: found.rows.length - planned.length + counts.error,
      };
    },
  };
}
