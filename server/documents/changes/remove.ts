import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { BulkResult } from '../contract.ts';
import { hide } from '../staging/hide.ts';
import { ofFirm } from '../rows.ts';
import { placeholders, queryRows } from '../../db/sql.ts';
import * as usage from '../../records/usage.ts';
import type { Writing } from './parts.ts';

export const NO_ITEM = 'This item does not exist.';

/** Of these ids, the items of the actor's firm, each once, in the order asked for; and the rest as failures. */
export async function ownItems(
  trx: Knex,
  actor: Actor,
  ids: readonly number[],
): Promise<{ items: Map<number, OwnItem>; failed: BulkResult['failed'] }> {
  const asked = [...new Set(ids)];
  const rows = await queryRows<OwnItem>(
    trx,
    `SELECT id, parent_id, type, name, name_key FROM items WHERE id IN (${placeholders(asked)}) AND ${ofFirm('items')}`,
    [...asked, actor.firmId],
  );
  const known = new Map(rows.map((row) => [row.id, row]));
  const items = new Map(asked.flatMap((id) => (known.has(id) ? [[id, known.get(id)!] as const] : [])));
  const failed = asked.filter((id) => !known.has(id)).map((id) => ({ id, name: null, message: NO_ITEM }));
  return { items, failed };
}

export interface OwnItem {
  id: number;
  parent_id: number | null;
  type: string;
  name: string;
  name_key: string;
}

/** An audit line names what was chosen, up to what a reader would read. */
export const NAMED = 100;

/** Deletes the items and everything below them, at once however many they are: rows and bytes are left to the sweep. */
export async function removeItems(
  { audit }: Pick<Writing, 'audit'>,
  trx: Knex,
  actor: Actor,
  ids: readonly number[],
): Promise<BulkResult> {
  const { items, failed } = await ownItems(trx, actor, ids);
  const done = [...items.keys()];
  if (done.length === 0) return { done, failed };
  const weight = await usage.weigh(trx, done);
  for (const { file_type, files, bytes } of weight) {
    if (file_type !== '') await usage.count(trx, actor.firmId, { file_type, files: -files, bytes: -bytes });
  }
  await hide(trx, done);
  await audit.record(trx, {
    actor,
    did: 'document.delete',
    concerns: {
      items: done,
      parents: [...new Set(Array.from(items.values(), ({ parent_id }) => parent_id))],
    },
    subject: done.length === 1 ? `item:${done[0]}` : undefined,
    detail: {
      chosen: done.length,
      ids: done.slice(0, NAMED),
      names: [...items.values()].slice(0, NAMED).map(({ name }) => name),
      files: weight.reduce((sum, { file_type, files }) => sum + (file_type === '' ? 0 : files), 0),
      bytes: weight.reduce((sum, { bytes }) => sum + bytes, 0),
    },
  });
  return { done, failed };
}
