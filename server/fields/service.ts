import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import type { FilesOfYear } from '#server/clients/contract.ts';
import type { Clock } from '#server/clock.ts';
import type { Sealer } from '#server/db/column-encryption.ts';
import type { Documents } from '#server/documents/service.ts';
import { AppError, conflict, forbidden, notFound } from '#server/http/errors.ts';
import { requireDownload } from '#server/links/links.ts';
import type { Reading } from '#server/reading/service.ts';
import type { Recognised } from '#server/recognition/contract.ts';
import { isReadable } from '#server/visibility/readable.ts';
import { hashOldAccounts, holdersOf } from './accounts.ts';
import { applyChanges, auditEventsOf } from './answers.ts';
import type { Answers, Combined, CombinedField } from './combine.ts';
import { combine, knownOf } from './combine.ts';
import { changedSince, describeAnswer } from './concurrent-answers.ts';
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
import { allFieldsOf, recordsOf } from './records.ts';
import { createReview } from './review.ts';
import type { Content } from './rows.ts';
import {
  isAnswered,
  isOther,
  storeAnswers,
  storeRecognised,
  storedRow,
  storedRows,
  recognisedRow,
} from './rows.ts';
import type { SigningKey } from './signatures.ts';
import { codeViews, signatureLines } from './signatures.ts';
import type { FirmSecrets } from './sealed.ts';
import { createSecrets } from './sealed.ts';
import type { Unfiled, UnfiledScope } from './unfiled.ts';
import { unfiledOf } from './unfiled.ts';
import { filesByYear } from './years.ts';

export interface FieldDependencies {
  db: Knex;
  clock: Clock;
  audit: Pick<Audit, 'record' | 'recordViewing'>;
  documents: Pick<Documents, 'openFile' | 'views' | 'lineage'>;
  reading: Pick<Reading, 'state' | 'keyOf'>;
  /** Creates a sealer from a key, for a purpose. */
  sealWith: (key: Buffer, purpose: string) => Sealer;
  /** Public keys for the signatures of e-invoices. */
  portalKeys?: readonly SigningKey[];
  /** Notifies open screens. */
  tell: (firmId: number, changes: { kind: 'fields'; items: number[]; clients: number[] }[]) => void;
}

/**
 * The values recognised in documents, stored sealed, and users' answers about them, which no later reading
 * overwrites.
 */
export function createFields(dependencies: FieldDependencies) {
  const { db, clock, audit, documents, reading, sealWith, tell, portalKeys = [] } = dependencies;
  const secretsOf = createSecrets(reading.keyOf, sealWith);
  /** Firms whose statements' accounts are all hashed. */
  const hashed = new Set<number>();

  const unseal = ({ unpack }: FirmSecrets, row: { recognised: Buffer | null; answers: Buffer | null }) => ({
    recognised: row.recognised && unpack<Recognised>(row.recognised),
    answers: row.answers ? unpack<Answers>(row.answers) : {},
  });

  /** Returns a function that adds the user's name to an answer. */
  async function withUserNames(
    firmId: number,
    fields: readonly CombinedField[],
    connection = db,
  ): Promise<(field: CombinedField) => FieldView> {
    const ids = new Set(fields.flatMap(({ answer }) => answer?.by ?? []));
    const users: { id: number; name: string }[] =
      ids.size === 0
        ? []
        : await connection('users')
            .where('firm_id', firmId)
            .whereIn('id', [...ids])
            .select('id', 'name');
    const names = new Map(users.map(({ id, name }) => [id, name]));
    return ({ answer, labelled: _, ...field }) => ({
      ...field,
      answer: answer && { what: answer.what, by: names.get(answer.by) ?? '', at: answer.at },
    });
  }

  async function view(actor: Actor, id: number): Promise<FieldsView> {
    const { sha256 } = await documents.openFile(actor, id);
    const { state, reason, paused } = await reading.state(actor, id);
    const secrets = await secretsOf(actor.firmId);
    const { recognised, answers } = unseal(secrets, await storedRow(db, actor, id, sha256));
    const { type, period, year, fields, tables, codes } = combine(recognised, answers);
    const addUserName = await withUserNames(actor.firmId, [type, period, ...fields]);
    return {
      state,
      reason,
      paused,
      type: addUserName(type),
      period: addUserName(period),
      year,
      fields: fields.map(addUserName),
      tables: tables.map(({ key, columns, rows, breaks }) => ({ key, columns, rows: rows.length, breaks })),
      codes: codeViews(codes, portalKeys),
      unsure: [type, ...fields].filter(({ unsure }) => unsure).length,
    };
  }

  /** The values of those files that the actor sees and of which any are known. */
  async function combinedOf(actor: Actor, ids: readonly number[]): Promise<Map<number, Combined>> {
    if (!maySee(actor)) throw forbidden();
    const secrets = await secretsOf(actor.firmId);
    const byItem = new Map<number, Combined>();
    for (const row of await storedRows(db, actor, ids)) {
      const { recognised, answers } = unseal(secrets, row);
      if (recognised || row.answers) byItem.set(row.item_id, combine(recognised, answers));
    }
    return byItem;
  }

  async function changedError(
    trx: Knex.Transaction,
    actor: Actor,
    field: CombinedField | undefined,
  ): Promise<AppError> {
    const { answer = null } = field ? (await withUserNames(actor.firmId, [field], trx))(field) : {};
    const isOwn = field?.answer?.by === actor.userId;
    return conflict(describeAnswer(answer, isOwn, clock()), 'value_changed');
  }

  const review = createReview({ db, clock, documents, view });

  return {
    /** The values of a file. @throws {AppError} 404, 403. */
    view,

    /** The next documents with doubtful values. @throws {AppError} 403. */
    review: review.next,

    /**
     * The values of those files that the actor sees, by id; files without known values are absent. @throws {AppError}
     * 403.
     */
    async knownFields(actor: Actor, ids: readonly number[]): Promise<Map<number, KnownFields>> {
      const all = await combinedOf(actor, ids);
      return new Map([...all].map(([id, combined]) => [id, knownOf(combined)]));
    },

    /** The files of a scope by whether any values of them are known, see `unfiledOf`. @throws {AppError} 403. */
    async unfiled(actor: Actor, scope: UnfiledScope): Promise<Unfiled> {
      if (!maySee(actor)) throw forbidden();
      return unfiledOf(db, actor, scope);
    },

    /**
     * The clients of statements by their accounts, see `holdersOf`. The caller must leave out clients that the actor
     * does not see.
     * @throws {AppError} 403.
     */
    async holders(
      actor: Actor,
      known: ReadonlyMap<number, KnownFields>,
      filedCondition: string,
    ): Promise<Map<number, AccountHolder>> {
      if (!maySee(actor)) throw forbidden();
      const { firmId } = actor;
      const secrets = await secretsOf(firmId);
      if (!hashed.has(firmId) && (await hashOldAccounts(db, firmId, secrets)) === 0) hashed.add(firmId);
      return holdersOf(db, firmId, secrets, { known, filedCondition });
    },

    /**
     * Table rows with all values of those files that the actor sees, see `RECORD_HEADINGS`. @throws {AppError} 403.
     */
    async records(actor: Actor, ids: readonly number[]): Promise<Map<number, RecordCell[][]>> {
      const all = await combinedOf(actor, ids);
      const addUserName = await withUserNames(actor.firmId, [...all.values()].flatMap(allFieldsOf));
      return new Map(
        [...all].map(([id, combined]) => [
          id,
          [...recordsOf(combined, addUserName), ...signatureLines(combined, portalKeys)],
        ]),
      );
    },

    /** A condition for queries on items `i`. */
    async condition(firmId: number, filter: FieldFilter): Promise<FieldCondition> {
      return conditionOf(filter, await secretsOf(firmId));
    },

    /** A subquery of item ids, see `selectionOf`. */
    async selection(actor: Actor, what: 'types' | 'years', values: readonly (string | number)[] | null) {
      return selectionOf(actor, what, values, await secretsOf(actor.firmId));
    },

    /**
     * Counts a client's files by the year that was read, entered or named by a folder. The caller has checked that the actor
     * sees the client. @throws {AppError} 403.
     */
    async filesByYear(actor: Actor, clientId: number): Promise<FilesOfYear[]> {
      if (!maySee(actor)) throw forbidden();
      return filesByYear(db, actor, clientId, await secretsOf(actor.firmId), documents.lineage);
    },

    /**
     * A table of a file with all rows: content that can be copied, as the text of the file, so not for a user who may
     * only view. @param index from 0. @throws {AppError} 404, 403.
     */
    async table(actor: Actor, id: number, index: number): Promise<TableRows> {
      const { sha256, name } = await documents.openFile(actor, id);
      requireDownload(actor);
      const { recognised } = unseal(await secretsOf(actor.firmId), await storedRow(db, actor, id, sha256));
      const table = recognised?.tables[index];
      if (!table) throw notFound('table');
      await audit.recordViewing({ actor, subject: `item:${id}`, detail: { name }, content: sha256 });
      return table;
    },

    /**
     * Corrects, confirms and clears values, or withdraws answers; all or nothing.
     * @throws {AppError} 404, 403; 409 `locked_pdf`, or `value_changed` for a value that is no longer as `seen`; 422 by id
     * of each invalid change.
     */
    async answer(actor: Actor, id: number, changes: readonly FieldChange[]): Promise<FieldsView> {
      const { sha256, name } = await documents.openFile(actor, id);
      if (!mayAnswer(actor)) throw forbidden();
      // Answers that the user cannot see would be replaced.
      if (!(await isReadable(db, actor, sha256)))
        throw new AppError(409, 'locked_pdf', 'This PDF opens with a password. Enter it first.');
      const secrets = await secretsOf(actor.firmId);
      await db.transaction(async (trx) => {
        const { recognised, answers } = unseal(secrets, await storedRow(trx, actor, id, sha256));
        const author = { by: actor.userId, at: clock().toISOString() };
        const before = combine(recognised, answers);
        const next = applyChanges(before, answers, changes, author);
        const changed = changedSince(before, combine(recognised, next), changes);
        if (changed) throw await changedError(trx, actor, changed.now);
        await storeAnswers(trx, secrets, { firm_id: actor.firmId, item_id: id, sha256 }, next, recognised);
        for (const [did, values] of auditEventsOf(changes))
          await audit.record(trx, { actor, did, subject: `item:${id}`, detail: { name, values } });
      });
      return view(actor, id);
    },

    /** Used by the reading of documents. */
    recognised: {
      async prepare(content: Content, recognised: Recognised | null) {
        const secrets = await secretsOf(content.firm_id);
        const row = recognised && recognisedRow(secrets, content, recognised);
        return (trx: Knex.Transaction) => storeRecognised(trx, secrets, content, { recognised, row });
      },

      /** Whether a user has confirmed or corrected values of a content. */
      isAnswered: ({ firm_id, sha256 }: Pick<Content, 'firm_id' | 'sha256'>): Promise<boolean> =>
        isAnswered(db, firm_id, sha256),

      /** Whether something else is stored of a content than what was recognised now. */
      async differs({ id, firm_id }: Pick<Content, 'id' | 'firm_id'>, recognised: Recognised | null) {
        return isOther(
          await secretsOf(firm_id),
          await db('document_fields').where({ text_id: id }).first('sealed'),
          recognised,
        );
      },

      async notify({ firm_id, sha256 }: Pick<Content, 'firm_id' | 'sha256'>): Promise<void> {
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
