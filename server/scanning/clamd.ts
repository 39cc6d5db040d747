import type { Socket } from 'node:net';
import { connect } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

/** The scanner's verdict on a content. */
export type Verdict = { state: 'clean' } | { state: 'infected'; found: string } | { state: 'too_large' };

/** Scans contents. Rejects when the scanner cannot be reached or gives no verdict. */
export interface Scanner {
  /** @param open opens the content, a second time if the scanner breaks the connection. */
  scan(open: () => Promise<Readable>): Promise<Verdict>;
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

/** The longest silence of the scanner, which unpacks large archives before it responds. */
const TIMEOUT_MS = 120_000;
const RESPONSE_MAX = 4096;
/** The scanner rejects a length that is too large within this time; on a busy machine within the second. */
const REJECTION_MS = { usual: 3, busy: 1000 };
/** How far behind the broken place the rejected length may be: the system takes some pieces that nobody reads. */
const BEFORE_BREAK_BYTES = 2 * 1024 * 1024;

function verdictOf(response: string): Verdict {
  const text = response.replaceAll('\0', '').trim();
  if (/^stream: OK$/.test(text)) return { state: 'clean' };
  const found = /^stream: (.+) FOUND$/.exec(text)?.[1];
  if (found) return { state: 'infected', found: found.slice(0, 200) };
  if (/size limit exceeded/i.test(text)) return { state: 'too_large' };
  throw new Error(`clamd said: ${text.slice(0, 200) || 'nothing'}`);
}

const CLOSED = 'clamd closed the connection';
const isBroken = ({ code, message }: NodeJS.ErrnoException): boolean =>
  code === 'ECONNRESET' || code === 'EPIPE' || message === CLOSED;

/** How far a content was sent. */
interface Progress {
  bytes: number;
  /** How far it was sent before the scanner broke the connection: near there, it gets more time to reject a length. */
  brokenAt?: number;
}

async function send(
  socket: Socket,
  content: Readable,
  progress: Progress,
  hasResponse: () => boolean,
): Promise<void> {
  socket.setNoDelay(true);
  /** Whether the scanner rejects the length just sent, which it does without delay. */
  const isRejected = async (): Promise<boolean> => {
    const { bytes, brokenAt = -1 } = progress;
    const isNearBreak = bytes <= brokenAt && bytes >= brokenAt - BEFORE_BREAK_BYTES;
    const end = performance.now() + REJECTION_MS[isNearBreak ? 'busy' : 'usual'];
    do await wait(REJECTION_MS.usual);
    while (!hasResponse() && performance.now() < end);
    return hasResponse();
  };
  const write = (bytes: Buffer) =>
    new Promise<void>((resolve, reject) =>
      socket.write(bytes, (error) => (error ? reject(error) : resolve())),
    );
  await write(Buffer.from('zINSTREAM\0'));
  for await (const piece of content) {
    // It has seen enough and reads no more.
    if (hasResponse()) return;
    const length = Buffer.alloc(4);
    length.writeUInt32BE((piece as Buffer).length);
    await write(length);
    // The scanner decides by the length alone, responds and closes. If the piece were already on its way, its kernel
    // would reset the connection, and the response would be lost.
    if (await isRejected()) return;
    await write(piece as Buffer);
    progress.bytes += (piece as Buffer).length;
  }
  await write(Buffer.alloc(4));
}

/**
 * A client of ClamAV's daemon with the command INSTREAM: the content is sent over the connection, so that the daemon
 * needs no access to files.
 */
export function createClamd(address: ClamdAddress, timeoutMs = TIMEOUT_MS): Scanner {
  async function scanOnce(content: Readable, progress: Progress): Promise<Verdict> {
    const socket = connect(address);
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('clamd gave no answer')));
    let response = '';
    const done = new Promise<Verdict>((resolve, reject) => {
      let fault: Error | undefined;
      socket.on('data', (bytes) => {
        response += bytes.toString('utf8');
        if (response.length > RESPONSE_MAX || response.includes('\0')) socket.destroy();
      });
      socket.once('error', (error) => (fault = error));
      socket.once('close', () => {
        // A scanner that responds early closes the connection while we still send.
        if (response === '') return reject(fault ?? new Error(CLOSED));
        try {
          resolve(verdictOf(response));
        } catch (error) {
          reject(error as Error);
        }
      });
    });
    const sending = send(socket, content, progress, () => response !== '').catch((error: Error) => {
      // An error of the store is not the scanner's; it ends the scan.
      if (!socket.destroyed) socket.destroy(error);
    });
    try {
      return await done;
    } finally {
      content.destroy();
      await sending;
    }
  }

  return {
    async scan(open) {
      const progress = { bytes: 0 };
      try {
        return await scanOnce(await open(), progress);
      } catch (error) {
        if (!(error instanceof Error && isBroken(error))) throw error;
        // The response to a length that is too large was probably lost.
        return scanOnce(await open(), { bytes: 0, brokenAt: progress.bytes });
      }
    },
  };
}
