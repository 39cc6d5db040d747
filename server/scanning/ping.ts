import { connect } from 'node:net';
import type { ClamdAddress } from './clamd.ts';

const TIMEOUT_MS = 10_000;

/** Why no ClamAV daemon answers at the address; null when one does. */
export function pingClamd(address: ClamdAddress, timeoutMs = TIMEOUT_MS): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect(address);
    let answer = '';
    const end = (why: string | null) => {
      socket.destroy();
      resolve(why);
    };
    socket
      .setTimeout(timeoutMs, () => end('it is silent'))
      .once('error', ({ code, message }: NodeJS.ErrnoException) => end(code ?? message))
      .once('connect', () => socket.write('zPING\0'))
      .on('data', (bytes) => {
        answer += bytes.toString('latin1');
        if (answer.length >= 'PONG'.length)
          end(answer.startsWith('PONG') ? null : 'something else than clamd answers');
      })
      .once('close', () => end('it closes the connection'));
  });
}
