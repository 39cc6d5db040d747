import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { writeDurably } from '#storage/durable.ts';
import { DATABASE_FILE } from '../../knexfile.ts';
import { Refused } from './refused.ts';

/** Written first, to explain the folder to whoever finds it. */
export const NOTE = 'READ ME FIRST.txt';
/**
 * Name of the note in the old format with a single database. An older Almirah, which would delete blobs of
 * snapshots, looks for it.
 */
export const OLD_NOTE = 'READ ME.txt';
export const MANIFEST = 'manifest.json';
const FORMAT = 1;

/** Written last, beside its database: a snapshot with a manifest is complete. */
interface Manifest {
  format: number;
  /** ISO 8601, UTC: everything saved before this moment is included. */
  made_at: string;
  database: { bytes: number; sha256: string };
  files: { count: number; bytes: number };
  key_included: boolean;
}

export async function hashFile(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(createReadStream(path), async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      bytes += chunk.length;
      hash.update(chunk);
    }
  });
  return { bytes, sha256: hash.digest('hex') };
}

export const writeManifest = (folder: string, manifest: Omit<Manifest, 'format'>): Promise<void> =>
  writeDurably(join(folder, MANIFEST), `${JSON.stringify({ format: FORMAT, ...manifest }, null, 2)}\n`);

/** Date of the snapshot; null when its manifest is damaged. */
export function dateOf(manifest: string): Date | null {
  const date = new Date(parsed(manifest)?.made_at ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** @throws {Refused} when the folder holds no complete snapshot, or its database was changed since. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null);
  if (text === null)
    throw new Refused(`${MANIFEST} of the backup in ${folder} is missing. Take another backup.`);
  const manifest = parsed(text);
  if (!manifest) throw new Refused(`${MANIFEST} of the backup in ${folder} is damaged. Take another backup.`);
  if (manifest.format !== FORMAT) {
    throw new Refused(`The backup in ${folder} was made by a newer Almirah. Restore it with that version.`);
  }
  const database = await hashFile(join(folder, DATABASE_FILE)).catch(() => null);
  if (database?.sha256 !== manifest.database.sha256) {
    const what = database ? 'is damaged: it is not as it was written' : 'is missing';
    throw new Refused(`${DATABASE_FILE} of the backup in ${folder} ${what}. Take another backup.`);
  }
  return manifest;
}

function parsed(text: string): Manifest | null {
  try {
    const manifest = JSON.parse(text) as Manifest;
    return typeof manifest.format === 'number' && typeof manifest.database?.sha256 === 'string'
      ? manifest
      : null;
  } catch {
    return null;
  }
}
