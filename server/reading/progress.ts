import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { BOUND_IDS, execute, bindList, placeholders, queryRow, queryRows } from '#server/db/sql.ts';
import type { FirmViewer } from '#server/visibility/visible.ts';
import { andVisible } from '#server/visibility/visible.ts';
import type { ReadingProgress } from './contract.ts';

/** The number of files that are of a readable type and that the actor sees. */
async function countFiles(db: Knex, actor: FirmViewer, types: readonly string[]): Promise<number> {
  const row = await queryRow<{ files: number }>(
    db,
    `SELECT count(*) AS files FROM items WHERE firm_id = ? AND file_type IN (${placeholders(types)})${andVisible(actor)}`,
    [actor.firmId, ...types],
  );
  return Number(row!.files);
}

/** The number of these files by state. `read`, the bulk of them, is left out. */
async function countByState(
  db: Knex,
  actor: FirmViewer,
  types: readonly string[],
): Promise<Map<string, number>> {
  const rows = await queryRows<{ state: string; files: number }>(
    db,
    `SELECT CASE WHEN t.scan = 'waiting' THEN 'waiting' ELSE t.state END AS state, count(*) AS files FROM document_texts t CROSS JOIN items i ON i.firm_id = t.firm_id AND i.sha256 = t.sha256
     WHERE t.firm_id = ? AND (t.state IN ('waiting', 'no_text', 'refused') OR t.scan = 'waiting')
     AND i.file_type IN (${placeholders(types)})${andVisible(actor, 'i')} GROUP BY 1`,
    [actor.firmId, ...types],
  );
  return new Map(rows.map(({ state, files }) => [state, Number(files)]));
}

/** How many of these files are still to be read. */
export async function countUnread(
  db: Knex,
  actor: FirmViewer,
  ids: readonly number[],
  types: readonly string[],
): Promise<number> {
  const row = await queryRow<{ files: number }>(
    db,
    `SELECT count(*) AS files FROM items i JOIN document_texts t ON t.firm_id = i.firm_id AND t.sha256 = i.sha256
     WHERE i.id IN (${BOUND_IDS}) AND i.firm_id = ? AND (t.state = 'waiting' OR t.scan = 'waiting')
     AND i.file_type IN (${placeholders(types)})${andVisible(actor, 'i')}`,
    [bindList(ids), actor.firmId, ...types],
  );
  return Number(row!.files);
}

export async function isPaused(db: Knex, firmId: number): Promise<boolean> {
  const row = await db('reading_settings').where({ firm_id: firmId }).first('paused');
  return Boolean(row?.paused);
}

export async function setPaused(trx: Knex.Transaction, firmId: number, paused: boolean): Promise<void> {
  await execute(
    trx,
    `INSERT INTO reading_settings (firm_id, paused) VALUES (?, ?)
     ON CONFLICT (firm_id) DO UPDATE SET paused = excluded.paused`,
    [firmId, paused],
  );
}

/** The reading progress of all files that the actor sees. */
export async function progressOf(
  db: Knex,
  actor: Actor,
  { on, types }: { on: boolean; types: readonly string[] },
): Promise<ReadingProgress> {
  const [files, states, paused] = await Promise.all([
    countFiles(db, actor, types),
    countByState(db, actor, types),
    isPaused(db, actor.firmId),
  ]);
  const count = (state: string): number => states.get(state) ?? 0;
  const waiting = Math.min(files, count('waiting'));
  return {
    files,
    read: files - waiting,
    waiting,
    no_text: count('no_text'),
    refused: count('refused'),
    paused,
    on,
  };
}
