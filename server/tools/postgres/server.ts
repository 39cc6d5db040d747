import { execFile, spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** A file system in memory, which Linux has. */
const MEMORY_FOLDER = '/dev/shm';
/** The folder in which Debian installs each version of PostgreSQL. */
const VERSIONS_FOLDER = '/usr/lib/postgresql';

/** The folder with the programs of the newest PostgreSQL on this machine; undefined without one. */
function findPrograms(): string | undefined {
  if (!existsSync(VERSIONS_FOLDER)) return undefined;
  const [newest] = readdirSync(VERSIONS_FOLDER).toSorted((a, b) => Number(b) - Number(a));
  const programs = newest && join(VERSIONS_FOLDER, newest, 'bin');
  return programs && existsSync(join(programs, 'initdb')) ? programs : undefined;
}

/** Whether this machine has a PostgreSQL that can be started. */
export const hasPostgres = (): boolean => findPrograms() !== undefined;

/** Like `findPrograms`, but installs PostgreSQL first if there is none. */
function findOrInstallPrograms(): string {
  const existing = findPrograms();
  if (existing) return existing;
  // Without recommended packages, which are not needed here.
  const install = 'apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql';
  spawnSync('sh', ['-c', install], { stdio: 'ignore', timeout: 120_000 });
  const programs = findPrograms();
  if (!programs) throw new Error('PostgreSQL is not installed. On Debian: apt-get install postgresql');
  return programs;
}

/** The user that the Debian package has created, since PostgreSQL refuses to run as root; undefined if this process is not root. */
async function findServerUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = async (option: string) => Number((await run('id', [option, 'postgres'])).stdout);
  return { uid: await idOf('-u'), gid: await idOf('-g') };
}

/** Faster, but unsafe in a power cut, which these databases need not survive. */
const SETTINGS = [
  "listen_addresses=''",
  'fsync=off',
  'full_page_writes=off',
  'autovacuum=off',
  'max_connections=300',
  'shared_buffers=256MB',
];

export interface StartedPostgres {
  address: string;
  /** The folder of PostgreSQL's programs. */
  programs: string;
  /** The id of the main process, of which all others are children. */
  pid: number;
  version: string;
  /** Stops the server, and deletes its data unless a `persistentFolder` was given. */
  stop(): void;
  /** Stops the server immediately, as in a power cut; `restart` starts it again. */
  kill(): void;
  restart(): Promise<void>;
}

interface PostgresOptions {
  /** Every user then needs a password; a new server has no passwords, so nobody can connect. */
  requirePasswords?: boolean;
  /** A folder in which the data is kept after `stop`, and used again at the next start; by default the data is in a new folder in memory. */
  persistentFolder?: string;
  /** Settings of postgresql.conf, such as `shared_buffers=2GB`. */
  settings?: readonly string[];
}

/** Starts a PostgreSQL server of its own, which listens on a Unix socket only. */
export async function startPostgres({
  requirePasswords = false,
  persistentFolder,
  settings = [],
}: PostgresOptions = {}): Promise<StartedPostgres> {
  const programs = findOrInstallPrograms();
  const user = await findServerUser();
  const folder =
    persistentFolder ??
    mkdtempSync(join(existsSync(MEMORY_FOLDER) ? MEMORY_FOLDER : tmpdir(), 'almirah-postgres-'));
  mkdirSync(folder, { recursive: true });
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const processOptions = { ...user, cwd: folder };
  if (!existsSync(data))
    await run(
      join(programs, 'initdb'),
      ['-D', data, '-U', 'almirah', '-E', 'UTF8', '--locale=C', '--auth=trust', '--no-sync'],
      processOptions,
    );
  // No user has a password, so nobody can connect.
  if (requirePasswords) writeFileSync(join(data, 'pg_hba.conf'), 'local all all scram-sha-256\n');
  const serverOptions = [
    `-k ${folder}`,
    ...[...SETTINGS, ...settings].map((setting) => `-c ${setting}`),
  ].join(' ');
  const start = () =>
    run(
      join(programs, 'pg_ctl'),
      ['-D', data, '-w', '-l', join(folder, 'log'), '-o', serverOptions, 'start'],
      processOptions,
    );
  const kill = () =>
    void spawnSync(join(programs, 'pg_ctl'), ['-D', data, '-m', 'immediate', 'stop'], {
      ...processOptions,
      stdio: 'ignore',
    });
  await start();
  const { stdout } = await run(join(programs, 'postgres'), ['--version'], processOptions);
  return {
    address: `postgres://almirah@localhost/postgres?host=${encodeURIComponent(folder)}`,
    pid: Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]),
    programs,
    version: stdout.trim(),
    kill,
    async restart() {
      await start();
    },
    stop() {
      if (persistentFolder)
        return void spawnSync(join(programs, 'pg_ctl'), ['-D', data, '-m', 'fast', 'stop'], {
          ...processOptions,
          stdio: 'ignore',
        });
      kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
