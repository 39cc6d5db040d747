import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '#storage/durable.ts';

const FILE = 'vault.id';

/**
 * Which vault the data folder is, as 32 hex digits: made once, and never brought back from a backup.
 * @param known asked by a folder that does not know yet: several folders may be of one vault, each for a process of its own.
 */
export async function vaultIdOf(
  dataDir: string,
  known: () => Promise<string | null> = async () => null,
): Promise<string> {
  const file = join(dataDir, FILE);
  const found = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (/^[0-9a-f]{32}$/.test(found)) return found;
  const made = (await known()) ?? randomBytes(16).toString('hex');
  await writeDurably(file, `${made}\n`);
  return made;
}
