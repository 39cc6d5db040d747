import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '#storage/durable.ts';

const FILE = 'vault.id';

/** Which vault the data folder is, as 32 hex digits: made once, and never brought back from a backup. */
export async function vaultIdOf(dataDir: string): Promise<string> {
  const file = join(dataDir, FILE);
  const found = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (/^[0-9a-f]{32}$/.test(found)) return found;
  const made = randomBytes(16).toString('hex');
  await writeDurably(file, `${made}\n`);
  return made;
}
