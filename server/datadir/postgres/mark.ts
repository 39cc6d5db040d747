import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { flushFolder, writeDurably } from '#storage/durable.ts';

const FILE = 'postgres.mark';

/** Whether the database of a data folder is in PostgreSQL. Then no database may be created in the folder: it would be empty, and all stored files would look orphaned. */
export const isOnPostgres = (dataDir: string): boolean => existsSync(join(dataDir, FILE));

export const markOnPostgres = (dataDir: string): Promise<void> =>
  writeDurably(join(dataDir, FILE), 'The database of this folder is in PostgreSQL.\n');

/** Records that the database is in the folder again. */
export async function unmarkOnPostgres(dataDir: string): Promise<void> {
  await unlink(join(dataDir, FILE));
  await flushFolder(dataDir);
}

/** The mark by which a database is recognised as that of a vault: a MAC under the vault's secret. */
export const vaultMark = (secret: Buffer): string =>
  createHmac('sha256', secret).update('the vault of a database').digest('hex');
