import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sealer } from '#server/db/column-encryption.ts';

/** Purpose for deriving the key that seals the private keys of certificates. */
export const TLS_PURPOSE = 'certificate keys';

const PEM = '-----BEGIN';
const isKey = (name: string): boolean => name.endsWith('.key');

/** Stores certificates in plain and private keys sealed with the master key, in one folder. */
export interface KeyStore {
  /**
   * @returns null when there is no such file.
   * @throws for a key that is damaged or sealed with another master key.
   */
  load(name: string): Promise<string | null>;
  /**
   * Writes the file atomically, readable for its owner alone.
   * @param name ends with `.key` for a private key.
   */
  save(name: string, content: string): Promise<void>;
}

async function write(folder: string, name: string, content: Buffer | string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unfinished = join(folder, `${name}.${randomUUID()}.tmp`);
  await writeFile(unfinished, content, { mode: 0o600, flush: true });
  await rename(unfinished, join(folder, name));
}

function opened(seal: Sealer, path: string, bytes: Buffer): string {
  try {
    return seal.open(bytes).toString('utf8');
  } catch {
    throw new Error(
      `${path} is sealed with another master key, or damaged. Put it back from a copy of this data folder. Without one, ` +
        `delete the file: a new certificate is made, and after authority.key every computer has to trust this server anew.`,
    );
  }
}

export function createKeyStore(folder: string, seal: Sealer): KeyStore {
  const save: KeyStore['save'] = (name, content) =>
    write(folder, name, isKey(name) ? seal.seal(content) : content);
  return {
    save,
    async load(name) {
      const path = join(folder, name);
      let bytes: Buffer;
      try {
        bytes = await readFile(path);
        // Others who could read it no longer can.
        await chmod(path, 0o600);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
      if (!isKey(name)) return bytes.toString('utf8');
      if (!bytes.toString('latin1', 0, PEM.length).startsWith(PEM)) return opened(seal, path, bytes);
      // Written unsealed by an older version.
      const plain = bytes.toString('utf8');
      await save(name, plain);
      return plain;
    },
  };
}

/**
 * Reseals the private keys for a new master key. Can be repeated after an interruption; a file that neither key
 * opens stays as it is.
 */
export async function resealKeys(folder: string, old: Sealer, fresh: Sealer): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const name of names.filter(isKey)) {
    const bytes = await readFile(join(folder, name));
    try {
      await write(folder, name, fresh.seal(old.open(bytes)));
    } catch {
      // The file is plain (the next start seals it) or resealed already.
    }
  }
}
