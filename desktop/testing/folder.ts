import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Paired } from '#server/desktop/contract.ts';
import { openQueue } from '#desktop/queue/database.ts';
import { createFiles } from '#desktop/queue/files.ts';
import { createFolders } from '#desktop/queue/folders.ts';
import { createVaults } from '#desktop/queue/vaults.ts';

/** Runs `work` with a temporary folder. */
export async function withFolder<T>(work: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'uploader-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const PAIRED: Paired = {
  token: 'almd_x',
  device: { id: 1, name: 'OFFICE-PC' },
  user: { name: 'Asha', email: 'asha@firm.in' },
  firm: { name: 'Rao & Co' },
  vault_id: 'vault-1',
  public_key: null,
};

/** A queue on disk with one vault and one watched folder. */
export function openStores(folder: string) {
  const db = openQueue(join(folder, 'queue.db'));
  const [vaults, folders, files] = [createVaults(db), createFolders(db), createFiles(db)];
  const vault = vaults.save('http://127.0.0.1:1', PAIRED);
  const choice = {
    vault: vault.id,
    path: join(folder, 'scans'),
    parent_id: 7,
    client_id: null,
    target: 'Scans',
  };
  const known = folders.all()[0];
  const watched =
    known ??
    folders.add({ ...choice, sub_folders: 'keep' as const, leave_out: ['*.bak'], after: 'leave' as const });
  return { db, vaults, folders, files, vault, watched };
}
