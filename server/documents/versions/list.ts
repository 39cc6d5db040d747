import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { AppError } from '#server/http/errors.ts';
import { notFound } from '#server/http/errors.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import type { Clock } from '../../clock.ts';
import { legalHoldsOver, legalHoldError } from '../legal-holds/guard.ts';
import { keptAmong, keptError } from '../retention/guard.ts';
import { findItem } from '../rows.ts';
import { sealedError, sealsOver } from '../seals/guard.ts';
import type { VersionList, VersionView } from './contract.ts';
import { presentOf } from './replace.ts';
import type { Version } from './rows.ts';
import { toVersionView } from './rows.ts';

/** A file's present content and its earlier versions. @throws {AppError} 404 also for a folder, 403. */
export async function listVersions(
  db: Knex,
  actor: Actor,
  id: number,
  { rule, clock }: { rule: { days: number; most: number }; clock: Clock },
): Promise<VersionList> {
  const item = await findItem(db, actor, id, 'documents.read');
  if (item.type !== 'file') throw notFound('file');
  const rows: (Version & { user_name: string })[] = await db('versions as v')
    .join('users as u', 'u.id', 'v.user_id')
    .where('v.item_id', id)
    .orderBy('v.id', 'desc')
    .select('v.*', 'u.name as user_name');
  const bytes = rows.reduce((sum, row) => sum + Number(row.bytes), 0);
  return {
    current: await presentView(db, item),
    earlier: rows.map((row) => toVersionView(row)),
    bytes,
    formatted_bytes: formatBytes(bytes),
    ...rule,
    stays: (await refusalToDelete(db, actor, item.id, clock()))?.message ?? null,
  };
}

/** The error for deleting a file's versions when the file is sealed, under a legal hold or kept by a retention rule; otherwise null. */
export async function refusalToDelete(
  db: Knex,
  actor: Actor,
  id: number,
  now: Date,
): Promise<AppError | null> {
  const seal = (await sealsOver(db, actor, [id])).get(id);
  if (seal) return sealedError(seal, 'file');
  const hold = (await legalHoldsOver(db, actor, [id])).get(id);
  if (hold !== undefined) return legalHoldError(hold);
  const keeping = (await keptAmong(db, actor.firmId, [id], now)).get(id);
  return keeping ? keptError(keeping) : null;
}

async function presentView(db: Knex, item: Awaited<ReturnType<typeof findItem>>): Promise<VersionView> {
  const present = await presentOf(db, item);
  const person = await db('users').where({ id: present.user_id }).first('name');
  return toVersionView({
    ...present,
    id: null,
    name: item.name,
    file_type: item.file_type!,
    file_size: item.file_size!,
    sha256: item.sha256!,
    user_name: person.name,
    created_at: item.modified_at,
    replaced_at: null,
    original_at: item.original_at,
  });
}
