import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { BOUND_IDS, bindList, queryRow, queryRows } from '#server/db/sql.ts';
import { andReadable } from '#server/visibility/readable.ts';
import { andVisible } from '#server/visibility/visible.ts';
import type { Recognised } from '#server/recognition/contract.ts';
import { maskAadhaar } from '#server/text/aadhaar.ts';
import { recognisedAccount, answeredAccount } from './accounts.ts';
import type { Answers } from './combine.ts';
import { answeredYear, isNoneOfThese, TYPE, unsureIds } from './combine.ts';
import type { FirmSecrets } from './sealed.ts';

/** The stored fields of a file's present content. */
interface StoredRow {
  item_id: number;
  recognised: Buffer | null;
  answers: Buffer | null;
}

const STORED = `SELECT i.id AS item_id, f.sealed AS recognised, a.sealed AS answers FROM items i
  LEFT JOIN document_fields f ON f.firm_id = i.firm_id AND f.sha256 = i.sha256
  LEFT JOIN field_answers a ON a.item_id = i.id AND a.sha256 = i.sha256`;

/** The rows of those files that the actor sees and may read. */
export const storedRows = (db: Knex, actor: Actor, ids: readonly number[]): Promise<StoredRow[]> =>
  queryRows(
    db,
    `${STORED} WHERE i.id IN (${BOUND_IDS}) AND i.firm_id = ? AND i.sha256 IS NOT NULL${andVisible(actor, 'i')}${andReadable(actor, 'i.sha256')}`,
    [bindList(ids), actor.firmId],
  );

/** The row of one content of a file that the actor is known to see; empty if its content stays locked for the actor. */
export const storedRow = async (
  db: Knex,
  actor: Actor,
  itemId: number,
  sha256: string,
): Promise<Pick<StoredRow, 'recognised' | 'answers'>> =>
  (await queryRow<StoredRow>(
    db,
    `SELECT (SELECT sealed FROM document_fields f WHERE f.firm_id = ? AND f.sha256 = ?${andReadable(actor, 'f.sha256')}) AS recognised,
       (SELECT sealed FROM field_answers a WHERE a.item_id = ? AND a.sha256 = ?${andReadable(actor, 'a.sha256')}) AS answers`,
    [actor.firmId, sha256, itemId, sha256],
  ))!;

const AADHAAR = 'aadhaar';

/** The law forbids showing a whole Aadhaar number, so none is stored here, whatever a rule has found. */
const masked = ({ fields, tables, ...rest }: Recognised): Recognised => ({
  ...rest,
  // Other identifiers may look like an Aadhaar number, and stay.
  fields: fields.map((field) => {
    if (field.key === AADHAAR)
      return { ...field, value: field.value.slice(-4), raw: field.raw.replace(/\d(?=(?:\D*\d){4})/g, 'X') };
    if (field.kind !== 'text') return field;
    return { ...field, value: maskAadhaar(field.value).text, raw: maskAadhaar(field.raw).text };
  }),
  tables: tables.map((table) => ({
    ...table,
    rows: table.rows.map((row) => ({
      ...row,
      cells: row.cells.map((cell, index) =>
        cell !== null && table.columns[index]?.kind === 'text' ? maskAadhaar(cell).text : cell,
      ),
    })),
  })),
});

const settledBy = (answers: Answers, unsure: readonly string[]): number =>
  isNoneOfThese(answers) ? unsure.length : unsure.filter((id) => id in answers).length;

/** A content of a firm's files. */
export interface Content {
  /** The id of its row in `document_texts`. */
  id: number;
  firm_id: number;
  sha256: string;
}

/** The row to store. Built before the transaction, which blocks every other writer. */
export const recognisedRow = (
  secrets: FirmSecrets,
  { id, firm_id, sha256 }: Content,
  recognised: Recognised,
) => ({
  text_id: id,
  firm_id,
  sha256,
  sealed: secrets.pack(masked(recognised)),
  type_hash: recognised.type === null ? null : secrets.hash('type', recognised.type),
  year_hash: recognised.year === null ? null : secrets.hash('year', recognised.year),
  unsure: unsureIds(recognised).length,
  ...recognisedAccount(recognised, secrets),
});

/** Whether the stored row is of other values than these. */
export const isOther = (
  { unpack }: FirmSecrets,
  row: { sealed: Buffer } | undefined,
  recognised: Recognised | null,
): boolean =>
  !isDeepStrictEqual(
    row ? unpack(row.sealed) : null,
    // As it would be unpacked.
    JSON.parse(JSON.stringify(recognised && masked(recognised))),
  );

/** Whether a user has confirmed or corrected values of a content, in any of its files. */
export const isAnswered = async (db: Knex, firmId: number, sha256: string): Promise<boolean> =>
  (await queryRow(db, 'SELECT 1 AS one FROM field_answers WHERE firm_id = ? AND sha256 = ? LIMIT 1', [
    firmId,
    sha256,
  ])) !== undefined;

/** Replaces what was recognised in a content; users' answers stay. */
export async function storeRecognised(
  trx: Knex.Transaction,
  secrets: FirmSecrets,
  { id, firm_id, sha256 }: Content,
  { recognised, row }: { recognised: Recognised | null; row: ReturnType<typeof recognisedRow> | null },
): Promise<void> {
  const { unpack } = secrets;
  await trx('document_fields').where({ text_id: id }).delete();
  if (row) await trx('document_fields').insert(row);
  const answerRows: { id: number; sealed: Buffer }[] = await trx('field_answers')
    .where({ firm_id, sha256 })
    .select('id', 'sealed');
  const unsure = recognised && answerRows.length > 0 ? unsureIds(recognised) : [];
  for (const { id: answersId, sealed } of answerRows) {
    const answers = unpack<Answers>(sealed);
    await trx('field_answers')
      .where({ id: answersId })
      .update({ settled: settledBy(answers, unsure), ...answeredAccount(recognised, answers, secrets) });
  }
}

/** Replaces all answers about a content of a file. */
export async function storeAnswers(
  trx: Knex.Transaction,
  secrets: FirmSecrets,
  content: { firm_id: number; item_id: number; sha256: string },
  answers: Answers,
  recognised: Recognised | null,
): Promise<void> {
  const { pack, hash } = secrets;
  const { item_id, sha256 } = content;
  await trx('field_answers').where({ item_id, sha256 }).delete();
  if (Object.keys(answers).length === 0) return;
  const type = answers[TYPE];
  const year = answeredYear(answers);
  await trx('field_answers').insert({
    ...content,
    sealed: pack(answers),
    type_hash: type ? (type.value === null ? '' : hash('type', type.value)) : null,
    year_hash: year === undefined ? null : year === null ? '' : hash('year', year),
    settled: recognised ? settledBy(answers, unsureIds(recognised)) : 0,
    ...answeredAccount(recognised, answers, secrets),
  });
}
