import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { execute, queryRow, queryRows } from '#server/db/sql.ts';
import type { AppError } from '#server/http/errors.ts';
import { conflict, forbidden, invalid } from '#server/http/errors.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import { holdingUnseen } from '../holding-unseen.ts';
import type { ChangeDependencies } from '../changes/dependencies.ts';
import { findItem } from '../rows.ts';
import type { BreakSeal, SealItem, SealedState, SealView } from './contract.ts';
import { sealSentence, sealsOver, seesSealed } from './guard.ts';
import { digestOf, filesOf } from './list.ts';
import { mayBreakSeals, maySeal } from './policy.ts';

interface SealDependencies extends Pick<ChangeDependencies, 'db' | 'clock' | 'audit'> {
  /** @throws {AppError} 403 `proof_needed`; 422 on `current_password` when it is wrong; 429. */
  prove: (actor: Actor, password: string | undefined) => Promise<unknown>;
}

const NOT_ALL_YOURS =
  'This folder cannot be sealed by you, since you do not see all that it holds. Ask an admin to seal it.';
const EMPTY = 'There is no file in this folder, so there is nothing to seal.';
const NOT_SEALED = 'This is not sealed.';

type Row = Omit<SealView, 'formatted_bytes' | 'item_id'> & { item_id: number; seen: number };

/** @param whole whether the reader sees all that is sealed. */
function viewOf({ seen, files, digest, ...row }: Row, whole: boolean): SealView {
  const bytes = whole ? Number(row.bytes) : 0;
  const sums = { files: whole ? files : 0, bytes, formatted_bytes: formatBytes(bytes) };
  const hidden = seen === 0 && { item_id: null, reason: null, name: '' };
  return { ...row, ...sums, digest: whole ? digest : '', ...hidden };
}

const sealRows = (db: Knex, actor: Actor, where: string, id: number): Promise<Row[]> =>
  queryRows<Row>(
    db,
    `SELECT s.id, s.item_id, s.name, s.reason, s.sealed_at AS at, who.name AS by, s.files, s.bytes, s.digest,
       s.broken_at, s.break_reason, breaker.name AS broken_by, CASE WHEN ${seesSealed(actor)} THEN 1 ELSE 0 END AS seen
     FROM seals s JOIN users who ON who.id = s.sealed_by LEFT JOIN users breaker ON breaker.id = s.broken_by
     WHERE ${where} ORDER BY s.id DESC`,
    [id],
  );

/** A folder and all folders below it. Only folders have a null `file_type`, so the query reads no files. */
const FOLDERS = `WITH RECURSIVE folders(id) AS (
    SELECT id FROM items WHERE id = ? AND file_type IS NULL
    UNION ALL
    SELECT i.id FROM folders CROSS JOIN items i ON i.parent_id = folders.id AND i.file_type IS NULL
  )`;

/** Seals: a sealed file or folder cannot change until an admin breaks the seal. */
export function createSeals({ db, clock, audit, prove }: SealDependencies) {
  return {
    /**
     * Seals a file, or a folder with its contents.
     * @throws {AppError} 404, 403, 409 `sealed` when it is sealed already; 422 for a folder without files.
     */
    seal(actor: Actor, id: number, { reason }: SealItem): Promise<SealedState> {
      return db.transaction(async (trx) => {
        const item = await findItem(trx, actor, id, 'documents.read');
        if (!maySeal(actor)) throw forbidden();
        const existing = (await sealsOver(trx, actor, [id])).get(id);
        if (existing) throw conflict(`It is sealed already. ${sealSentence(existing)}`, 'sealed');
        if ((await holdingUnseen(trx, actor, [id])).length > 0) throw forbidden(NOT_ALL_YOURS);
        await unlinkDeletedClients(trx, id);
        const files = await filesOf(trx, id);
        if (files.length === 0) throw invalid({ reason: [EMPTY] }, 'nothing_to_seal');
        const now = clock().toISOString();
        const digest = digestOf(files);
        const bytes = files.reduce((sum, { file_size }) => sum + (file_size ?? 0), 0);
        const [created] = (await trx('seals')
          .insert({
            firm_id: actor.firmId,
            item_id: id,
            name: item.name,
            reason,
            sealed_by: actor.userId,
            sealed_at: now,
            files: files.length,
            bytes,
            digest,
          })
          .returning('id')) as [{ id: number }];
        // Items inside that are sealed already keep their own seal.
        await execute(
          trx,
          `${FOLDERS} UPDATE item_rows SET sealed = ? WHERE (id = ? OR id IN (SELECT id FROM folders)) AND sealed IS NULL`,
          [id, created.id, id],
        );
        await audit.record(trx, {
          actor,
          did: 'document.seal',
          subject: `item:${id}`,
          detail: { name: item.name, reason, files: files.length, bytes, digest },
          concerns: { items: [id], parents: [item.parent_id, id] },
        });
        return stateOf(trx, actor, id);
      });
    },

    /**
     * Breaks the seal on the item itself. The contents stay sealed when a folder above has a seal too.
     * @throws {AppError} 404; 403 unless the actor is an admin; 409 `not_sealed` when the item itself has no seal; 422 on
     * `current_password`; 429.
     */
    async break(actor: Actor, id: number, { reason, current_password }: BreakSeal): Promise<SealedState> {
      await findItem(db, actor, id, 'documents.read');
      if (!mayBreakSeals(actor)) throw forbidden('Only an admin can break a seal.');
      await prove(actor, current_password);
      return db.transaction(async (trx) => {
        const item = await findItem(trx, actor, id, 'documents.read');
        const seal = await queryRow<{ id: number; reason: string; sealed_at: string }>(
          trx,
          'SELECT id, reason, sealed_at FROM seals WHERE item_id = ? AND firm_id = ? AND broken_at IS NULL',
          [id, actor.firmId],
        );
        if (!seal) throw await notSealedItself(trx, actor, id);
        await trx('seals')
          .where({ id: seal.id })
          .update({ broken_by: actor.userId, broken_at: clock().toISOString(), break_reason: reason });
        await execute(
          trx,
          `UPDATE item_rows SET sealed = (SELECT above.sealed FROM item_rows above WHERE above.id = ?) WHERE sealed = ?`,
          [item.parent_id, seal.id],
        );
        await audit.record(trx, {
          actor,
          did: 'document.break_seal',
          subject: `item:${id}`,
          detail: { name: item.name, reason, sealed_at: seal.sealed_at, sealed_for: seal.reason },
          concerns: { items: [id], parents: [item.parent_id, id] },
        });
        return stateOf(trx, actor, id);
      });
    },

    /** The present and broken seals of an item; `check` compares the files with the seal's digest. @throws {AppError} 404, 403. */
    async state(actor: Actor, id: number, { check = false } = {}): Promise<SealedState> {
      await findItem(db, actor, id, 'documents.read');
      return stateOf(db, actor, id, { check });
    },
  };
}
export type Seals = ReturnType<typeof createSeals>;

async function stateOf(db: Knex, actor: Actor, id: number, { check = false } = {}): Promise<SealedState> {
  const over = (await sealsOver(db, actor, [id])).get(id);
  const rows = await sealRows(db, actor, 's.item_id = ? AND s.broken_at IS NOT NULL', id);
  const [row] = over ? await sealRows(db, actor, 's.id = ?', over.id) : [];
  const partly = await holdingUnseen(db, actor, [id, ...(row ? [row.item_id] : [])]);
  const view = (one: Row) => viewOf(one, !partly.includes(one.item_id));
  const broken = rows.map(view);
  if (!row) return { seal: null, intact: null, broken };
  const intact = check ? digestOf(await filesOf(db, row.item_id)) === row.digest : null;
  return { seal: view(row), intact, broken };
}

/** The error when an item has no seal of its own: a folder above is sealed, or none is. */
async function notSealedItself(db: Knex, actor: Actor, id: number): Promise<AppError> {
  const over = (await sealsOver(db, actor, [id])).get(id);
  if (!over) return conflict(NOT_SEALED, 'not_sealed');
  const [row] = await sealRows(db, actor, 's.id = ?', over.id);
  const name = row?.seen ? `"${row.name}"` : 'a folder above';
  return conflict(`It is sealed together with ${name}: break the seal there.`, 'not_sealed');
}

/** Removes deleted clients from the items to be sealed. A job does so after the deletion, but cannot once they are sealed. */
async function unlinkDeletedClients(trx: Knex.Transaction, id: number): Promise<void> {
  if (!(await trx('clients').where({ firm_id: 0 }).first('id'))) return;
  await execute(
    trx,
    `WITH RECURSIVE inside(id) AS (
       SELECT id FROM items WHERE id = ?
       UNION ALL
       SELECT i.id FROM inside CROSS JOIN items i ON i.parent_id = inside.id
     ) UPDATE item_rows SET client_id = NULL
     WHERE id IN (SELECT id FROM inside) AND client_id IN (SELECT id FROM clients WHERE firm_id = 0)
       AND coalesce((SELECT p.sealed FROM item_rows p WHERE p.id = item_rows.parent_id), sealed) IS NULL`,
    [id],
  );
}
