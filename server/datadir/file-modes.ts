import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DATABASE_FILE } from '../../knexfile.ts';

/** What is ours in a data folder; other things in it are left alone. */
const OURS = [
  DATABASE_FILE,
  `${DATABASE_FILE}-wal`,
  `${DATABASE_FILE}-shm`,
  'lock.sqlite',
  'deletions.sqlite',
  'master.key',
  'master.key.next',
  'master.key.sealed',
  'master.key.sealed.next',
  'master.key.unwrapped',
  'master.check',
  'vault.id',
  'blobs',
  'backups',
  'outbox',
];

const LOOSE = 0o077;

/** @returns whether others than the owner could read it, which they can no longer. */
async function close(path: string): Promise<boolean> {
  const { mode, uid } = await lstat(path);
  const loose = (mode & LOOSE) !== 0;
  const me = process.getuid?.();
  if (me !== undefined && me !== 0 && me !== uid) {
    throw new Error(
      loose
        ? `${path} belongs to another user and is open to others on this machine. ` +
            `Run: sudo chown -R ${me} ${path} && sudo chmod -R go= ${path}`
        : `${path} belongs to another user (${uid}), who alone may open it. Where "install" has set up a service, start that: ` +
            `sudo systemctl start almirah. To give it to the user who starts the server: sudo chown -R ${me} ${path}`,
    );
  }
  if (!loose) return false;
  await chmod(path, mode & 0o700);
  return true;
}

/**
 * Closes a data folder, and what is ours in it, to everybody but its owner.
 * @returns what was open, as paths.
 * @throws with the command to run when it belongs to somebody else.
 */
export async function tightenModes(dataDir: string): Promise<string[]> {
  const open: string[] = [];
  if (await close(dataDir)) open.push(dataDir);
  const present = (await readdir(dataDir)).filter((name) => OURS.includes(name));
  const copies = present.includes('backups')
    ? (await readdir(join(dataDir, 'backups'))).map((name) => join('backups', name))
    : [];
  for (const name of [...present, ...copies]) {
    const path = join(dataDir, name);
    if (await close(path)) open.push(path);
  }
  return open;
}
