import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

const BARE = join(import.meta.dirname, 'bare-server.ts');

/** Starts a complete server without pages in a process of its own. */
export async function startServer(env: Record<string, string>) {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const server = spawn(process.execPath, [BARE], {
    env: {
      ...process.env,
      PORT: String(port),
      BASE_URL: base,
      ABUSE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (text: Buffer) => (output += String(text)));
  const ended = () => server.exitCode !== null || server.signalCode !== null;
  return {
    base,
    said: () => output,
    async up() {
      await until(async () => {
        if (ended()) throw new Error(`The server did not start. ${output}`);
        return (await fetch(`${base}/healthz`).catch(() => null))?.status === 200;
      });
    },
    async end(signal: NodeJS.Signals) {
      if (ended()) return;
      server.kill(signal);
      await once(server, 'close');
    },
    /** Resolves when the process has exited by itself. @returns its output. */
    async refusal() {
      if (!ended()) await once(server, 'close');
      return output;
    },
  };
}
