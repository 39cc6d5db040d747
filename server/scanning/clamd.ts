import type { Socket } from 'node:net';
import { connect } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

/** What the scanner says of a content. */
export type Verdict = { state: 'clean' } | { state: 'infected'; found: string } | { state: 'too_large' };

/** Looks at contents. Rejects when it cannot be asked, or gives no answer. */
export interface Scanner {
  scan(content: Readable): Promise<Verdict>;
}

export type ClamdAddress = { host: string; port: number } | { path: string };

/** `tcp://127.0.0.1:3310` or `unix:/run/clamav/clamd.ctl`; undefined for anything else. */
export function clamdAddress(text: string): ClamdAddress | undefined {
  const path = /^unix:(?:\/\/)?(\/.+)$/.exec(text)?.[1];
  if (path) return { path };
  const found = /^tcp:\/\/(\[[0-9a-f:]+\]|[\w.-]+):(\d{1,5})\/?$/i.exec(text);
  const port = Number(found?.[2]);
  return found && port >= 1 && port <= 65_535 ? { host: found[1]!.replace(/[[\]]/g, ''), port } : undefined;
}

/** Milliseconds without a word of the scanner: it unpacks large archives before it answers. */
const PATIENCE = 120_000;
const ANSWER_MAX = 4096;
/** Milliseconds in which it says that a length is too much. */
const ANSWERS_WITHIN = 3;

function verdictOf(answer: string): Verdict {
  const text = answer.replaceAll('\0', '').trim();
  if (/^stream: OK$/.test(text)) return { state: 'clean' };
  const found = /^stream: (.+) FOUND$/.exec(text)?.[1];
  if (found) return { state: 'infected', found: found.slice(0, 200) };
  if (/size limit exceeded/i.test(text)) return { state: 'too_large' };
  throw new Error(`clamd said: ${text.slice(0, 200) || 'nothing'}`);
}

async function send(socket: Socket, content: Readable, answered: () => boolean): Promise<void> {
  socket.setNoDelay(true);
  /** Whether it answers a length, for which it needs no time to speak of. */
  const refused = async (): Promise<boolean> => {
    await wait(ANSWERS_WITHIN);
    return answered();
  };
  const write = (bytes: Buffer) =>
    new Promise<void>((resolve, reject) =>
      socket.write(bytes, (error) => (error ? reject(error) : resolve())),
    );
  await write(Buffer.from('zINSTREAM\0'));
  for await (const piece of content) {
    // It has seen enough, and reads no more.
    if (answered()) return;
    const length = Buffer.alloc(4);
    length.writeUInt32BE((piece as Buffer).length);
    await write(length);
    // By the length alone it knows whether that is too much, says so and closes. Were the piece on its way by then, its
    // kernel would break the connection off, and the answer would be lost with it.
    if (await refused()) return;
    await write(piece as Buffer);
  }
  await write(Buffer.alloc(4));
}

/** ClamAV's daemon, spoken to by its command INSTREAM: the content goes over the connection, and it needs no access to files. */
export function createClamd(address: ClamdAddress, patience = PATIENCE): Scanner {
  return {
    async scan(content) {
      const socket = connect(address);
      socket.setTimeout(patience, () => socket.destroy(new Error('clamd gave no answer')));
      let answer = '';
      const done = new Promise<Verdict>((resolve, reject) => {
        let fault: Error | undefined;
        socket.on('data', (bytes) => {
          answer += bytes.toString('utf8');
          if (answer.length > ANSWER_MAX || answer.includes('\0')) socket.destroy();
        });
        socket.once('error', (error) => (fault = error));
        socket.once('close', () => {
          // A scanner that has answered early closes while it is still being sent to.
          if (answer === '') return reject(fault ?? new Error('clamd closed the connection'));
          try {
            resolve(verdictOf(answer));
          } catch (error) {
            reject(error as Error);
          }
        });
      });
      const sending = send(socket, content, () => answer !== '').catch((error: Error) => {
        // What the store says is no fault of the scanner's, and ends the talk.
        if (!socket.destroyed) socket.destroy(error);
      });
      try {
        return await done;
      } finally {
        content.destroy();
        await sending;
      }
    },
  };
}
