import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DATABASE_FILE } from '../../knexfile.ts';

/** The files and folders of a data folder that are Almirah's; others in it are left alone. */
const OWN_FILES = [
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
  'master.key.left',
  'master.check',
  'vault.id',
  'blobs',
  'backups',
  'outbox',
];

const GROUP_AND_OTHERS = 0o077;

/** Removes the permissions of all users but the owner. @returns whether there were any. */
async function tighten(path: string): Promise<boolean> {
  const { mode, uid } = await lstat(path);
  const isLoose = (mode & GROUP_AND_OTHERS) !== 0;
  const me = process.getuid?.();
  if (me !== undefined && me !== 0 && me !== uid) {
    throw new Error(
      isLoose
        ? `${path} belongs to another user and is open to others on this machine. ` +
            `Run: sudo chown -R ${me} ${path} && sudo chmod -R go= ${path}`
        : `${path} belongs to another user (${uid}), who alone may open it. Where "install" has set up a service, start that: ` +
            `sudo systemctl start almirah. To give it to the user who starts the server: sudo chown -R ${me} ${path}`,
    );
  }
  if (!isLoose) return false;
  await chmod(path, mode & 0o700);
  return true;
}

/**
 * Closes a data folder and Almirah's files in it to all users but the owner.
 * @returns the paths that were open.
 * @throws with the command to run if a file belongs to another user.
 */
export async function tightenModes(dataDir: string): Promise<string[]> {
  const loose: string[] = [];
  if (await tighten(dataDir)) loose.push(dataDir);
  const present = (await readdir(dataDir)).filter((name) => OWN_FILES.includes(name));
  const copies = present.includes('backups')
    ? (await readdir(join(dataDir, 'backups'))).map((name) => join('backups', name))
    : [];
  for (const name of [...present, ...copies]) {
    const path = join(dataDir, name);
    if (await tighten(path)) loose.push(path);
  }
  return loose;
}
