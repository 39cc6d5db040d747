import { randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sealer } from '../db/column-encryption.ts';

/** In a data folder. */
export const OUTBOX_FOLDER = 'outbox';
/** What its key is for. */
export const OUTBOX_PURPOSE = 'outbox files';

const SEALED = '.eml.sealed';
/** As versions before wrote them. */
const PLAIN = '.eml';

/** An e-mail that no mail server was there for: a file of its own. */
export interface OutboxFile {
  /** Of the file. */
  name: string;
  sealed: boolean;
}

/** Writes a whole file that only its owner reads, or none. */
async function writePrivate(path: string, bytes: Buffer): Promise<void> {
  const unfinished = `${path}.${randomUUID()}.tmp`;
  await writeFile(unfinished, bytes, { mode: 0o600 });
  await rename(unfinished, path);
}

/** @param name without an ending; an e-mail of the same name is replaced. */
export async function writeToOutbox(folder: string, seal: Sealer, name: string, eml: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writePrivate(join(folder, `${name}${SEALED}`), seal.seal(eml));
}

/** The e-mails in `folder`, the oldest first, as their names begin with the time. */
export async function listOutbox(folder: string): Promise<OutboxFile[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .filter((name) => name.endsWith(SEALED) || name.endsWith(PLAIN))
    .toSorted()
    .map((name) => ({ name, sealed: name.endsWith(SEALED) }));
}

/**
 * An e-mail as a mail program takes it (RFC 5322).
 * @throws when it was sealed with another key, or was altered.
 */
export async function readEmail(folder: string, seal: Sealer, { name, sealed }: OutboxFile): Promise<Buffer> {
  const bytes = await readFile(join(folder, name));
  return sealed ? seal.open(bytes) : bytes;
}

const opened = (seal: Sealer, bytes: Buffer): Buffer | null => {
  try {
    return seal.open(bytes);
  } catch {
    return null;
  }
};

/** Seals for a new key what the old one opens; cut off, it is done again in the same way. What neither opens stays as it is. */
export async function resealOutbox(folder: string, old: Sealer, fresh: Sealer): Promise<void> {
  for (const { name, sealed } of await listOutbox(folder)) {
    const path = join(folder, name);
    const bytes = sealed ? await readFile(path) : null;
    const plain = bytes && !opened(fresh, bytes) ? opened(old, bytes) : null;
    if (plain) await writePrivate(path, fresh.seal(plain));
  }
}
