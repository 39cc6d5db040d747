import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '#storage/durable.ts';

const FILE = 'vault.id';

/**
 * The id of the data folder's vault, 32 hex digits: created once, and never restored from a backup.
 * @param findExisting asks the database of a folder without an id: several folders, each of one process, may belong to one vault.
 */
export async function vaultIdOf(
  dataDir: string,
  findExisting: () => Promise<string | null> = async () => null,
): Promise<string> {
  const file = join(dataDir, FILE);
  const stored = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    // Any other error may hide an id, by which buckets, backups and other folders know this vault.
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (/^[0-9a-f]{32}$/.test(stored.trim())) return stored.trim();
  const id = (await findExisting()) ?? randomBytes(16).toString('hex');
  await keepVaultId(dataDir, id);
  return id;
}

/** Gives a data folder the id of the vault that it is to serve. */
export const keepVaultId = (dataDir: string, id: string): Promise<void> =>
  writeDurably(join(dataDir, FILE), `${id}\n`);
