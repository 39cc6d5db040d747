import { chmod, rm } from 'node:fs/promises';
import type { Server } from 'node:net';
import { connect, createServer } from 'node:net';

export type Word = 'show' | 'quit';
/** Milliseconds in which the other must have answered. */
const ANSWER_MS = 15_000;

/** Tells the program that runs already. @returns false where none does. */
export function tell(path: string, word: Word): Promise<boolean> {
  return new Promise((resolve) => {
    const line = connect(path, () => line.write(`${word}\n`));
    let reached = false;
    line.setTimeout(ANSWER_MS, () => line.destroy());
    // The other hangs up when it has done what it was told; after `quit` that is its end.
    line.on('data', () => (reached = true));
    line.on('error', () => {});
    line.on('close', () => resolve(reached));
  });
}

/** @returns what listens, or null where another one does. */
export async function beTheOnly(path: string, told: (word: Word) => void): Promise<Server | null> {
  const listen = () =>
    new Promise<Server | null>((resolve) => {
      const server = createServer((line) => {
        line.on('error', () => {});
        line.once('data', (data) => {
          const word = String(data).trim();
          if (word !== 'show' && word !== 'quit') return void line.destroy();
          line.write('ok\n');
          // The line of `quit` ends with the process.
          if (word === 'show') line.end();
          told(word);
        });
      });
      server.once('error', () => resolve(null));
      server.listen(path, () => resolve(server));
    });
  let server = await listen();
  if (!server && process.platform !== 'win32' && !(await answers(path))) {
    // What a killed one left behind.
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
