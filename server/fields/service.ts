import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import type { ReadInYear } from '#server/clients/contract.ts';
import type { Clock } from '#server/clock.ts';
import type { Sealer } from '#server/datadir/sealing.ts';
import type { Documents } from '#server/documents/service.ts';
import { forbidden, notFound } from '#server/http/errors.ts';
import type { Reading } from '#server/reading/service.ts';
import type { Recognised } from '#server/recognition/contract.ts';
import { hashOldAccounts, holdersOf } from './accounts.ts';
import { answered, didOf } from './answers.ts';
import type { Answers, Combined } from './combine.ts';
import { combine, knownOf } from './combine.ts';
import type {
  AccountHolder,
  FieldChange,
  FieldsView,
  FieldView,
  KnownFields,
  RecordCell,
  TableRows,
} from './contract.ts';
import type { FieldCondition, FieldFilter } from './filter.ts';
import { conditionOf, selectionOf } from './filter.ts';
import { mayAnswer, maySee } from './policy.ts';
import { allOf, recordsOf } from './records.ts';
import { createReview } from './review.ts';
import type { Content } from './rows.ts';
import { keepAnswers, keepRecognised, keptOf, keptRows, packedRecognised } from './rows.ts';
import type { SigningKey } from './signatures.ts';
import { codeViews, signatureLines } from './signatures.ts';
import type { FirmSecrets } from './sealed.ts';
import { createSecrets } from './sealed.ts';
import { readInYears } from './years.ts';

export interface FieldParts {
  db: Knex;
  clock: Clock;
  audit: Pick<Audit, 'record'>;
  documents: Pick<Documents, 'openFile' | 'views'>;
  reading: Pick<Reading, 'state' | 'keyOf'>;
  /** Makes what seals with a key, for a purpose. */
  sealWith: (key: Buffer, purpose: string) => Sealer;
  /** By which the signatures of e-invoices are checked. */
  portalKeys?: readonly SigningKey[];
  /** Tells open screens. */
  tell: (firmId: number, changes: { kind: 'fields'; items: number[]; clients: number[] }[]) => void;
}

/** A field without the names of who answered. */
type Unnamed = Combined['fields'][number];

/** What was recognised in documents, kept sealed, with what people said of it, which no reading overwrites. */
export function createFields(use: FieldParts) {
  const { db, clock, audit, documents, reading, sealWith, tell, portalKeys = [] } = use;
  const secretsOf = createSecrets(reading.keyOf, sealWith);
  /** Firms of whose statements all accounts are hashed. */
  const hashed = new Set<number>();

  const opened = ({ unpack }: FirmSecrets, row: { recognised: Buffer | null; answers: Buffer | null }) => ({
    recognised: row.recognised && unpack<Recognised>(row.recognised),
    answers: row.answers ? unpack<Answers>(row.answers) : {},
  });

  /** Gives the answers the names of those who gave them. */
  async function named(firmId: number, fields: readonly Unnamed[]): Promise<(field: Unnamed) => FieldView> {
    const ids = new Set(fields.flatMap(({ answer }) => answer?.by ?? []));
    const users: { id: number; name: string }[] =
      ids.size === 0
        ? []
        : await db('users')
            .where('firm_id', firmId)
            .whereIn('id', [...ids])
            .select('id', 'name');
    const names = new Map(users.map(({ id, name }) => [id, name]));
    return ({ answer, ...field }) => ({
      ...field,
      answer: answer && { what: answer.what, by: names.get(answer.by) ?? '', at: answer.at },
    });
  }

  async function view(actor: Actor, id: number): Promise<FieldsView> {
    const { sha256 } = await documents.openFile(actor, id);
    const { state, reason, paused } = await reading.state(actor, id);
    const secrets = await secretsOf(actor.firmId);
    const { recognised, answers } = opened(secrets, await keptOf(db, actor, id, sha256));
    const { type, period, year, fields, tables, codes } = combine(recognised, answers);
    const name = await named(actor.firmId, [type, period, ...fields]);
    return {
      state,
      reason,
      paused,
      type: name(type),
      period: name(period),
      year,
      fields: fields.map(name),
      tables: tables.map(({ key, columns, rows, breaks }) => ({ key, columns, rows: rows.length, breaks })),
      codes: codeViews(codes, portalKeys),
      unsure: [type, ...fields].filter(({ unsure }) => unsure).length,
    };
  }

  /** Of each of these files that the actor sees and of which anything is known. */
  async function combinedOf(actor: Actor, ids: readonly number[]): Promise<Map<number, Combined>> {
    if (!maySee(actor)) throw forbidden();
    const secrets = await secretsOf(actor.firmId);
    const found = new Map<number, Combined>();
    for (const row of await keptRows(db, actor, ids)) {
      const { recognised, answers } = opened(secrets, row);
      if (recognised || row.answers) found.set(row.item_id, combine(recognised, answers));
    }
    return found;
  }

  const review = createReview({ db, clock, documents, view });

  return {
    /** What a file gives. @throws {AppError} 404, 403. */
    view,

    /** What was read with doubts, for the actor to go through. @throws {AppError} 403. */
    review: review.next,

    /** Of those of these files that the actor sees, by id; of which nothing is known, nothing. @throws {AppError} 403. */
    async of(actor: Actor, ids: readonly number[]): Promise<Map<number, KnownFields>> {
      const all = await combinedOf(actor, ids);
      return new Map([...all].map(([id, one]) => [id, knownOf(one)]));
    },

    /**
     * Of those of these files whose account is that of statements of exactly one client, see `holdersOf`: who asks
     * leaves out the clients that the actor does not see.
     * @throws {AppError} 403.
     */
    async holders(
      actor: Actor,
      known: ReadonlyMap<number, KnownFields>,
      counts: string,
    ): Promise<Map<number, AccountHolder>> {
      if (!maySee(actor)) throw forbidden();
      const { firmId } = actor;
      const secrets = await secretsOf(firmId);
      if (!hashed.has(firmId) && (await hashOldAccounts(db, firmId, secrets)) === 0) hashed.add(firmId);
      return holdersOf(db, firmId, secrets, { known, counts });
    },

    /** As lines of a table, see `RECORD_HEADINGS`: of those of these files that the actor sees. @throws {AppError} 403. */
    async records(actor: Actor, ids: readonly number[]): Promise<Map<number, RecordCell[][]>> {
      const all = await combinedOf(actor, ids);
      const name = await named(actor.firmId, [...all.values()].flatMap(allOf));
      return new Map(
        [...all].map(([id, one]) => [id, [...recordsOf(one, name), ...signatureLines(one, portalKeys)]]),
      );
    },

    /** For queries for items `i`: those of such types and years. */
    async condition(firmId: number, filter: FieldFilter): Promise<FieldCondition> {
      return conditionOf(filter, await secretsOf(firmId));
    },

    /** For queries that ask for items by their ids, see `selectionOf`. */
    async selection(firmId: number, what: 'types' | 'years', values: readonly (string | number)[] | null) {
      return selectionOf(firmId, what, values, await secretsOf(firmId));
    },

    /** Of a client's files whose year is known. Who asks has shown that the actor sees the client. @throws {AppError} 403. */
    async readYears(actor: Actor, clientId: number): Promise<ReadInYear[]> {
      if (!maySee(actor)) throw forbidden();
      return readInYears(db, actor.firmId, clientId, await secretsOf(actor.firmId));
    },

    /** A table of a file with all its rows. @param at from 0. @throws {AppError} 404, 403. */
    async table(actor: Actor, id: number, at: number): Promise<TableRows> {
      const { sha256 } = await documents.openFile(actor, id);
      const { recognised } = opened(await secretsOf(actor.firmId), await keptOf(db, actor, id, sha256));
      const table = recognised?.tables[at];
      if (!table) throw notFound('table');
      return table;
    },

    /**
     * Corrects, confirms and clears values, or takes back what was said of them; all or nothing.
     * @throws {AppError} 404, 403; 422 on the ids of those that cannot be.
     */
    async answer(actor: Actor, id: number, changes: readonly FieldChange[]): Promise<FieldsView> {
      const { sha256, name } = await documents.openFile(actor, id);
      if (!mayAnswer(actor)) throw forbidden();
      const secrets = await secretsOf(actor.firmId);
      await db.transaction(async (trx) => {
        const { recognised, answers } = opened(secrets, await keptOf(trx, actor, id, sha256));
        const by = { by: actor.userId, at: clock().toISOString() };
        const next = answered(combine(recognised, answers), answers, changes, by);
        await keepAnswers(trx, secrets, { firm_id: actor.firmId, item_id: id, sha256 }, next, recognised);
        for (const [did, values] of didOf(changes))
          await audit.record(trx, { actor, did, subject: `item:${id}`, detail: { name, values } });
      });
      return view(actor, id);
    },

    /** For who reads documents. */
    recognised: {
      async prepare(content: Content, recognised: Recognised | null) {
        const secrets = await secretsOf(content.firm_id);
        const row = recognised && packedRecognised(secrets, content, recognised);
        return (trx: Knex.Transaction) => keepRecognised(trx, secrets, content, { recognised, row });
      },

      async tell({ firm_id, sha256 }: Pick<Content, 'firm_id' | 'sha256'>): Promise<void> {
        const rows: { id: number; client: number }[] = await db('items')
          .where({ firm_id, sha256 })
          .select('id', 'scope_client_id as client');
        tell(firm_id, [
          { kind: 'fields', items: rows.map(({ id }) => id), clients: rows.map(({ client }) => client) },
        ]);
      },
    },
  };
}
export type Fields = ReturnType<typeof createFields>;
