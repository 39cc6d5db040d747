import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import { BOUND_IDS, bindList, queryRows } from '#server/db/sql.ts';
import { AppError, forbidden } from '#server/http/errors.ts';
import { dayInIndia } from '#server/text/day-in-india.ts';
import { isVisible } from '#server/visibility/visible.ts';
import { MAX_NAMED, deleteWithoutTrash } from '../changes/remove.ts';
import type { SettledClock } from '#server/clock.ts';
import type { ChangeDependencies } from '../changes/dependencies.ts';
import { isUnderLegalHold } from '../legal-holds/guard.ts';
import { sealOver } from '../seals/guard.ts';
import { paths } from '../tree.ts';
import type { ConfirmDestruction } from './contract.ts';
import { coversOf, marksOf } from './cover.ts';
import { mayManage } from './policy.ts';
import { rulesOf } from './rules.ts';

/** Files destroyed per transaction. */
const BATCH_SIZE = 500;
/** Rows per `INSERT`. */
const INSERT_ROWS = 100;

export interface DestroyDependencies extends Pick<ChangeDependencies, 'db' | 'clock' | 'audit'> {
  /** The clock by which retention expires. */
  settled: SettledClock;
}

export interface DestructionDependencies extends DestroyDependencies {
  /** @throws {AppError} 422 on `current_password` when it is wrong, 429. */
  prove: (actor: Actor, password: string) => Promise<unknown>;
  viewer: (actor: Actor) => Promise<{ name: string; firm_name: string }>;
  /** Enqueues the job that destroys the files; it starts after the transaction has committed. */
  enqueue: (trx: Knex.Transaction, firmId: number, destruction: number) => Promise<void>;
}

/** The present state of a file to be destroyed. */
interface Candidate {
  id: number;
  name: string;
  parent_id: number | null;
  file_size: number;
  sha256: string | null;
  client: string | null;
  /** The rule that kept the file longest, and its last day. */
  rule: string;
  until: string;
}

/** Reasons for not destroying a file. */
const GONE = 'It is no longer there.';
const CHANGED = 'It was changed after the destruction was confirmed.';
const HELD = 'It is under a legal hold.';
const SEALED = 'It is sealed.';
const NO_RULE = 'It is under no retention rule any more.';
const NOT_YET = 'A retention rule keeps it longer.';

/** Splits files into those that may be destroyed now and the others, with the reason for each. */
async function candidates(
  db: Knex,
  firmId: number,
  ids: readonly number[],
  { today, visible = '1 = 1' }: { today: string; visible?: string },
): Promise<{ ready: Candidate[]; staying: Map<number, string> }> {
  const rules = await rulesOf(db, firmId);
  const rows = await queryRows<Omit<Candidate, 'rule' | 'until'> & { held: number; sealed: number | null }>(
    db,
    `SELECT i.id, i.name, i.parent_id, i.file_size, i.sha256, c.name AS client,
       CASE WHEN ${isUnderLegalHold('i.scope_client_id')} THEN 1 ELSE 0 END AS held, ${sealOver('i')} AS sealed
     FROM items i LEFT JOIN clients c ON c.id = i.scope_client_id AND c.firm_id = i.firm_id
     WHERE i.id IN (${BOUND_IDS}) AND i.firm_id = ? AND i.type = 'file' AND ${visible}`,
    [bindList(ids), firmId],
  );
  const covers = await coversOf(
    db,
    rules,
    firmId,
    rows.map(({ id }) => id),
  );
  const staying = new Map(ids.map((id) => [id, GONE]));
  const ready = rows.flatMap(({ held, sealed, ...row }) => {
    const [longest] = marksOf(rules, covers.get(row.id)!, today);
    const why = held
      ? HELD
      : sealed !== null
        ? SEALED
        : !longest
          ? NO_RULE
          : !longest.run_out
            ? NOT_YET
            : null;
    if (why !== null) staying.set(row.id, why);
    else staying.delete(row.id);
    return why === null
      ? [{ ...row, file_size: Number(row.file_size), rule: longest!.rule, until: longest!.until! }]
      : [];
  });
  return { ready, staying };
}

/** The earlier versions of files, which are destroyed with them. */
async function versionsOf(db: Knex, ids: readonly number[]): Promise<Map<number, unknown[]>> {
  const rows = await queryRows<{ item_id: number; created_at: string; file_size: number; sha256: string }>(
    db,
    `SELECT item_id, created_at, file_size, sha256 FROM versions WHERE item_id IN (${BOUND_IDS}) ORDER BY id`,
    [bindList(ids)],
  );
  const byItem = Map.groupBy(rows, ({ item_id }) => item_id);
  return new Map([...byItem].map(([id, rows]) => [id, rows.map(({ item_id: _, ...version }) => version)]));
}

/**
 * Records the list of a destruction and enqueues the job. Refuses the whole list when one of the files must stay.
 * @returns the destruction's id.
 * @throws {AppError} 403; 422 on `current_password`; 409 `stays` when one of them may not be destroyed now.
 */
export async function confirmDestruction(
  { db, clock, settled, audit, prove, viewer, enqueue }: DestructionDependencies,
  actor: Actor,
  { ids: requestedIds, reason, current_password }: ConfirmDestruction,
): Promise<number> {
  if (!mayManage(actor) || !may(actor, 'documents.delete')) throw forbidden();
  await prove(actor, current_password);
  const { name, firm_name } = await viewer(actor);
  const ids = [...new Set(requestedIds)];
  const today = dayInIndia(await settled());
  return db.transaction(async (trx) => {
    const { ready, staying } = await candidates(trx, actor.firmId, ids, {
      today,
      visible: isVisible(actor, 'i') || '1 = 1',
    });
    if (staying.size > 0) {
      const [why] = staying.values();
      const many = staying.size === 1 ? 'One of the files stays' : `${staying.size} of the files stay`;
      throw new AppError(409, 'stays', `${many}, so nothing was destroyed. ${why} Load the list again.`);
    }
    const [created] = (await trx('destructions')
      .insert({
        firm_id: actor.firmId,
        firm_name,
        reason,
        confirmed_by: actor.userId,
        confirmed_by_name: name,
        confirmed_at: clock().toISOString(),
        confirmed_on: today,
        listed: ready.length,
      })
      .returning('id')) as [{ id: number }];
    const folderPaths = await paths(trx, actor, [...new Set(ready.map(({ parent_id }) => parent_id))]);
    const versions = await versionsOf(trx, ids);
    const rows = ready.map(({ id, parent_id, ...file }) => ({
      ...file,
      destruction_id: created.id,
      item_id: id,
      path: folderPaths.get(parent_id ?? 0) ?? '',
      versions: JSON.stringify(versions.get(id) ?? []),
    }));
    for (let start = 0; start < rows.length; start += INSERT_ROWS)
      await trx('destruction_files').insert(rows.slice(start, start + INSERT_ROWS));
    await audit.record(trx, {
      actor,
      did: 'retention.confirm',
      subject: `destruction:${created.id}`,
      detail: {
        names: ready.slice(0, MAX_NAMED).map((file) => file.name),
        chosen: ready.length,
        reason,
        certificate: created.id,
      },
      concerns: { items: ids },
    });
    await enqueue(trx, actor.firmId, created.id);
    return created.id;
  });
}

interface Destruction {
  id: number;
  firm_id: number;
  confirmed_by: number;
  finished_at: string | null;
}

/**
 * Destroys the files of a confirmed list in batches, resuming after an interruption. A file that may no longer be
 * destroyed stays, and the reason is recorded.
 * @returns the number of destroyed files.
 */
export async function destroy(
  { db, clock, settled, audit }: DestroyDependencies,
  id: number,
  { signal, report }: { signal: AbortSignal; report: (progress: number) => void },
): Promise<number> {
  const destruction = (await db('destructions').where({ id }).first()) as
    (Destruction & { listed: number }) | undefined;
  if (!destruction || destruction.finished_at !== null) return 0;
  const { firm_id: firmId, confirmed_by: userId } = destruction;
  for (let done = 0; ; done += BATCH_SIZE) {
    signal.throwIfAborted();
    report(Math.min(99, Math.floor((done / destruction.listed) * 100)));
    const today = dayInIndia(await settled());
    const processed = await db.transaction((trx) =>
      destroyBatch(trx, { clock, audit, today }, { id, firmId, userId }),
    );
    if (processed === 0) break;
  }
  return db.transaction((trx) => finish(trx, { clock, audit }, { id, firmId, userId }));
}

type DestructionRef = { id: number; firmId: number; userId: number };
type HistoryDependencies = Pick<ChangeDependencies, 'clock' | 'audit'>;

/** @returns the number of files processed; 0 when none is left. */
async function destroyBatch(
  trx: Knex.Transaction,
  { clock, audit, today }: HistoryDependencies & { today: string },
  { id, firmId, userId }: DestructionRef,
): Promise<number> {
  const pending = (await trx('destruction_files')
    .where({ destruction_id: id })
    .whereNull('destroyed_at')
    .whereNull('kept_because')
    .orderBy('item_id')
    .limit(BATCH_SIZE)
    .select('item_id', 'name', 'sha256', 'file_size', 'versions')) as {
    item_id: number;
    sha256: string | null;
    file_size: number;
    versions: string;
  }[];
  if (pending.length === 0) return 0;
  const ids = pending.map(({ item_id }) => item_id);
  const { ready, staying } = await candidates(trx, firmId, ids, { today });
  const versions = await versionsOf(trx, ids);
  const listed = new Map(pending.map((row) => [row.item_id, row]));
  const unchanged: Candidate[] = [];
  for (const file of ready) {
    const { sha256, file_size, versions: listedVersions } = listed.get(file.id)!;
    const same =
      file.sha256 === sha256 &&
      file.file_size === Number(file_size) &&
      JSON.stringify(versions.get(file.id) ?? []) === listedVersions;
    if (same) unchanged.push(file);
    else staying.set(file.id, CHANGED);
  }
  for (const [item, why] of staying)
    await trx('destruction_files').where({ destruction_id: id, item_id: item }).update({ kept_because: why });
  const destroyedIds = unchanged.map((file) => file.id);
  if (destroyedIds.length > 0) {
    await audit.record(trx, {
      firmId,
      userId,
      did: 'retention.destroy',
      subject: destroyedIds.length === 1 ? `item:${destroyedIds[0]}` : `destruction:${id}`,
      detail: {
        names: unchanged.slice(0, MAX_NAMED).map(({ name }) => name),
        ids: destroyedIds.slice(0, MAX_NAMED),
        chosen: destroyedIds.length,
        bytes: unchanged.reduce((sum, { file_size }) => sum + file_size, 0),
        certificate: id,
      },
      concerns: { items: destroyedIds, parents: [...new Set(unchanged.map(({ parent_id }) => parent_id))] },
    });
    // Before the deletion: a trigger refuses to delete a kept file that is not recorded as destroyed.
    await trx('destruction_files')
      .where({ destruction_id: id })
      .whereIn('item_id', destroyedIds)
      .update({ destroyed_at: clock().toISOString() });
    await deleteWithoutTrash(trx, destroyedIds);
  }
  return pending.length;
}

/** SHA-256, hexadecimal, of a list with one line per destroyed content: its SHA-256, bytes and path. */
export function digestOf(files: readonly Destroyed[]): string {
  const hash = createHash('sha256');
  for (const file of files)
    for (const { sha256, file_size } of contentsOf(file))
      hash.update(`${sha256 ?? ''}  ${file_size}  ${[file.path, file.name].filter(Boolean).join('/')}\n`);
  return hash.digest('hex');
}

/** A destroyed file, as listed on the certificate. */
export interface Destroyed {
  name: string;
  path: string;
  client: string | null;
  rule: string;
  until: string;
  file_size: number;
  sha256: string | null;
  versions: string;
  destroyed_at: string;
}

/** The present content of a destroyed file and its earlier versions. */
export const contentsOf = ({ file_size, sha256, versions }: Destroyed) => [
  { file_size: Number(file_size), sha256, created_at: null as string | null },
  ...(JSON.parse(versions) as { file_size: number; sha256: string; created_at: string }[]),
];

/** The destroyed files, in the order of the certificate. */
export const destroyedOf = (db: Knex, id: number): Promise<Destroyed[]> =>
  db('destruction_files')
    .where({ destruction_id: id })
    .whereNotNull('destroyed_at')
    .orderBy(['path', 'name', 'item_id'])
    .select('name', 'path', 'client', 'rule', 'until', 'file_size', 'sha256', 'versions', 'destroyed_at');

async function finish(
  trx: Knex.Transaction,
  { clock, audit }: HistoryDependencies,
  { id, firmId, userId }: DestructionRef,
): Promise<number> {
  const files = await destroyedOf(trx, id);
  const bytes = files.flatMap(contentsOf).reduce((sum, { file_size }) => sum + file_size, 0);
  const digest = digestOf(files);
  await trx('destructions')
    .where({ id })
    .whereNull('finished_at')
    .update({ finished_at: clock().toISOString(), files: files.length, bytes, digest });
  await audit.record(trx, {
    firmId,
    userId,
    did: 'retention.certify',
    subject: `destruction:${id}`,
    detail: { name: `Certificate ${id}`, files: files.length, bytes, digest, certificate: id },
  });
  return files.length;
}
