import { chmod, rm } from 'node:fs/promises';
import type { Server } from 'node:net';
import { connect, createServer } from 'node:net';

export type Command = 'show' | 'quit';
/** Ms to wait for the other instance. */
const TIMEOUT_MS = 15_000;

/** Sends a command to the running instance. @returns false when there is none. */
export function sendCommand(path: string, command: Command): Promise<boolean> {
  return new Promise((resolve) => {
    const line = connect(path, () => line.write(`${command}\n`));
    let reached = false;
    line.setTimeout(TIMEOUT_MS, () => line.destroy());
    // The other instance closes the connection when it has obeyed; after `quit`, when it exits.
    line.on('data', () => (reached = true));
    line.on('error', () => {});
    line.on('close', () => resolve(reached));
  });
}

/**
 * Claims to be the only instance.
 * @returns the control server, or null when another instance runs.
 */
export async function claimInstance(
  path: string,
  onCommand: (command: Command) => void,
): Promise<Server | null> {
  const listen = () =>
    new Promise<Server | null>((resolve) => {
      const server = createServer((line) => {
        line.on('error', () => {});
        line.once('data', (data) => {
          const command = String(data).trim();
          if (command !== 'show' && command !== 'quit') return void line.destroy();
          line.write('ok\n');
          // The connection of `quit` stays open until the process exits.
          if (command === 'show') line.end();
          onCommand(command);
        });
      });
      server.once('error', () => resolve(null));
      server.listen(path, () => resolve(server));
    });
  let server = await listen();
  if (!server && process.platform !== 'win32' && !(await answers(path))) {
    // A killed instance has left its socket behind.
    await rm(path, { force: true });
    server = await listen();
  }
  if (server && process.platform !== 'win32') await chmod(path, 0o600).catch(() => {});
  return server;
}

const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const line = connect(path, () => {
      line.destroy();
      resolve(true);
    });
    line.on('error', () => resolve(false));
  });
