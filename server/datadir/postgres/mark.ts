import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { flushFolder, writeDurably } from '#storage/durable.ts';

const FILE = 'postgres.mark';

/** Whether the database of a data folder is in PostgreSQL: then one in the folder would be empty, and its files nobody's. */
export const isOnPostgres = (dataDir: string): boolean => existsSync(join(dataDir, FILE));

export const markOnPostgres = (dataDir: string): Promise<void> =>
  writeDurably(join(dataDir, FILE), 'The database of this folder is in PostgreSQL.\n');

/** After this the database is in the folder again. */
export async function unmarkOnPostgres(dataDir: string): Promise<void> {
  await unlink(join(dataDir, FILE));
  await flushFolder(dataDir);
}

/** What a database says of the vault that it is of. */
export const vaultMark = (secret: Buffer): string =>
  createHmac('sha256', secret).update('the vault of a database').digest('hex');
