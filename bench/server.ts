import type { SpawnOptions } from 'node:child_process';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Group } from './cgroup.ts';
import { DATABASE_FILE } from '../knexfile.ts';
import { WITHOUT_FILES } from '../server/datadir/require-files.ts';
import { environment, flags } from '../server/tools/runtime.mjs';

export const root = join(import.meta.dirname, '..');

export interface BenchServer {
  url: string;
  dataDir: string;
  /** CPU seconds used so far, user and system. */
  cpu(): Promise<number>;
  /** Resident memory in MB: now, and the most since `resetPeak`. */
  memory(): Promise<{ now: number; peak: number }>;
  resetPeak(): Promise<void>;
  stop(): Promise<void>;
  /** Stops the server and removes its data folder. */
  remove(): Promise<void>;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

export const scratchFolder = () => mkdtemp(join(process.env.BENCH_DIR ?? tmpdir(), 'almirah-bench-'));

/** Whether the server at `url` is healthy; any certificate is accepted. */
function isHealthy(url: string): Promise<boolean> {
  if (url.startsWith('http:')) return fetch(`${url}/healthz`).then(({ ok }) => ok);
  return new Promise((resolve, reject) => {
    get(`${url}/healthz`, { rejectUnauthorized: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    }).on('error', reject);
  });
}

/**
 * Starts the real server, as `npm start` does after its preparations, and waits for its first answer.
 * @param group whose limits apply to the server and its child processes.
 */
export async function startServer(
  dataDir: string,
  settings: NodeJS.ProcessEnv = {},
  group?: Pick<Group, 'within'>,
): Promise<BenchServer> {
  // A start refuses a folder without the files that its database names, as those that a benchmark fills without bytes.
  if (existsSync(join(dataDir, DATABASE_FILE))) await writeFile(join(dataDir, WITHOUT_FILES), '');
  const port = await freePort();
  const url = `${settings.HTTPS ? 'https' : 'http'}://127.0.0.1:${port}`;
  const options: SpawnOptions = {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      ...environment,
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      ABUSE_LIMITS: 'off',
      ...(settings.HTTPS && { BASE_URL: `https://localhost:${port}`, HTTP_PORT: 'off', HOST: '127.0.0.1' }),
      ...settings,
    },
  };
  const startProcess = () => spawn(process.execPath, [...flags, join(root, 'server/main.ts')], options);
  const server = group ? await group.within(startProcess) : startProcess();
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  while (true) {
    if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode}.`);
    if (await isHealthy(url).catch(() => false)) break;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const proc = (file: string) => readFile(`/proc/${server.pid}/${file}`, 'utf8');
  const stop = async () => {
    server.kill('SIGTERM');
    await ended;
  };
  return {
    url,
    dataDir,
    async cpu() {
      // Fields 14 and 15 of proc(5) stat, in ticks of 1/100 s; the name before them may hold spaces.
      const fields = (await proc('stat')).split(') ')[1]!.split(' ');
      return (Number(fields[11]) + Number(fields[12])) / 100;
    },
    async memory() {
      const status = await proc('status');
      const megabytes = (key: string) => Number(new RegExp(`${key}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
      return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
    },
    async resetPeak() {
      await writeFile(`/proc/${server.pid}/clear_refs`, '5');
    },
    stop,
    async remove() {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
