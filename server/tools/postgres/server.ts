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
/** A disk in memory, where Linux has one. */
const MEMORY = '/dev/shm';
const VERSIONS = '/usr/lib/postgresql';

/** Where the programs of the newest PostgreSQL of this machine are. */
function installed(): string | undefined {
  if (!existsSync(VERSIONS)) return undefined;
  const [newest] = readdirSync(VERSIONS).toSorted((a, b) => Number(b) - Number(a));
  const folder = newest && join(VERSIONS, newest, 'bin');
  return folder && existsSync(join(folder, 'initdb')) ? folder : undefined;
}

/** Whether this machine has a PostgreSQL that can be started. */
export const hasPostgres = (): boolean => installed() !== undefined;

function programs(): string {
  const found = installed();
  if (found) return found;
  // Without Debian's own cluster, which nobody needs here.
  const install = 'apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql';
  spawnSync('sh', ['-c', install], { stdio: 'ignore', timeout: 120_000 });
  const now = installed();
  if (!now) throw new Error('PostgreSQL is not installed. On Debian: apt-get install postgresql');
  return now;
}

/** The server refuses to run as root: then it is the user that the package made. */
async function owner(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const id = async (which: string) => Number((await run('id', [which, 'postgres'])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

/** Nobody needs these databases after a power cut. */
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
  /** Of the process that all others of it come of. */
  pid: number;
  version: string;
  /** With all that it holds. */
  stop(): void;
  /** As in a power cut, until `resume`. */
  cut(): void;
  resume(): Promise<void>;
}

interface PostgresOptions {
  /** Every user then needs a password; a new server has none, so nobody can connect. */
  askPasswords?: boolean;
  /** Where the data goes and stays after `stop`; a server that was stopped there is started again. Without it, a new folder in memory. */
  keptIn?: string;
  /** Settings of postgresql.conf, such as `shared_buffers=2GB`. */
  settings?: readonly string[];
}

/** Starts a PostgreSQL server of its own, which listens on a Unix socket only. */
export async function startPostgres({
  askPasswords = false,
  keptIn,
  settings = [],
}: PostgresOptions = {}): Promise<StartedPostgres> {
  const bin = programs();
  const user = await owner();
  const folder = keptIn ?? mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'almirah-postgres-'));
  mkdirSync(folder, { recursive: true });
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const how = { ...user, cwd: folder };
  if (!existsSync(data))
    await run(
      join(bin, 'initdb'),
      ['-D', data, '-U', 'almirah', '-E', 'UTF8', '--locale=C', '--auth=trust', '--no-sync'],
      how,
    );
  // Then nobody has one, and nobody comes in.
  if (askPasswords) writeFileSync(join(data, 'pg_hba.conf'), 'local all all scram-sha-256\n');
  const options = [`-k ${folder}`, ...[...SETTINGS, ...settings].map((setting) => `-c ${setting}`)].join(' ');
  const start = () =>
    run(join(bin, 'pg_ctl'), ['-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start'], how);
  const cut = () =>
    void spawnSync(join(bin, 'pg_ctl'), ['-D', data, '-m', 'immediate', 'stop'], { ...how, stdio: 'ignore' });
  await start();
  const { stdout } = await run(join(bin, 'postgres'), ['--version'], how);
  return {
    address: `postgres://almirah@localhost/postgres?host=${encodeURIComponent(folder)}`,
    pid: Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]),
    programs: bin,
    version: stdout.trim(),
    cut,
    async resume() {
      await start();
    },
    stop() {
      if (keptIn)
        return void spawnSync(join(bin, 'pg_ctl'), ['-D', data, '-m', 'fast', 'stop'], {
          ...how,
          stdio: 'ignore',
        });
      cut();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
