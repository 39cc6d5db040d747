import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { environment, flags } from './runtime.mjs';

/** Ms for the start: the migration of a large database may take that long. */
const START_TIMEOUT_MS = 30 * 60_000;
const STOP_TIMEOUT_MS = 60_000;
const LOG_LINES = 12;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

const answered = (address: string): Promise<boolean> =>
  fetch(address, { signal: AbortSignal.timeout(10_000) }).then(
    async (answer) => {
      await answer.body?.cancel();
      return answer.ok;
    },
    () => false,
  );

interface Trial {
  settings: Record<string, string | undefined>;
  owner: { uid: number; gid: number } | null;
}

/**
 * Runs a version on the data folder, reachable from this machine only, and stops it once it serves pages: its
 * database is migrated then, and nobody has used it.
 * @throws with its output when it does not respond, or does not stop gracefully.
 */
export async function runTrial(folder: string, { settings, owner }: Trial): Promise<void> {
  const port = await freePort();
  const server = spawn(
    join(folder, 'node_modules/node/bin/node'),
    [...flags, join(folder, 'server/main.ts')],
    {
      cwd: folder,
      env: {
        ...environment,
        ...settings,
        HOST: '127.0.0.1',
        PORT: String(port),
        BASE_URL: `http://localhost:${port}`,
        ...Object.fromEntries(OFF.map((name) => [name, ''])),
        ALMIRAH_TRIAL: 'on',
        ALMIRAH_STARTED_BY: String(process.pid),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...owner,
    },
  );
  let output = '';
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (some: Buffer) => (output = (output + some.toString()).slice(-8000)));
  const ended = once(server, 'exit').catch(() => [1]);
  const exited = ended.then(() => true);
  const until = performance.now() + START_TIMEOUT_MS;
  const base = `http://127.0.0.1:${port}`;
  let well = false;
  while (!well && performance.now() < until) {
    well = await answered(`${base}/readyz`);
    if (!well && (await Promise.race([exited, wait(200, false)]))) break;
  }
  const page = well && (await answered(`${base}/healthz`)) && (await answered(`${base}/login`));
  server.kill(well ? 'SIGTERM' : 'SIGKILL');
  const end = setTimeout(() => server.kill('SIGKILL'), STOP_TIMEOUT_MS);
  const [code] = (await ended) as [number | null];
  clearTimeout(end);
  if (page && code === 0) return;
  throw new Error(
    `${well ? (page ? 'it did not end in order' : 'it shows no pages') : 'it did not start'}.${lastOf(output)}`,
  );
}

/** The last lines, without the places in the program that a stack trace names. */
const lastOf = (output: string): string => {
  const said = output
    .trim()
    .split('\n')
    .filter((line) => !/^\s+at /.test(line));
  const lines = said.slice(-LOG_LINES).join('\n  ');
  return lines ? ` It said:\n  ${lines}` : '';
};

/** Settings that would expose the trial to others, or that only the service can fulfil. */
const OFF = ['HTTPS', 'TLS_CERT', 'TLS_KEY', 'TRUST_PROXY', 'ALLOW_PLAIN_HTTP', 'LOG_FILE', 'ABUSE_LIMITS'];
