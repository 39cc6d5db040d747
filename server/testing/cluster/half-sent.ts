import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import type { Visitor } from '../visitor.ts';

export const TUS_HEADERS = { 'tus-resumable': '1.0.0' };
export const PIECE_HEADERS = { ...TUS_HEADERS, 'content-type': 'application/offset+octet-stream' };

export const cookiesOf = ({ jar }: Visitor): Record<string, string> => ({
  cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
  'x-xsrf-token': jar.get('XSRF-TOKEN')!,
});

/**
 * Announces a piece of `length` bytes that goes on from `offset`, sends only the beginning of it, and keeps the connection open.
 * @returns the connection, for the caller to cut.
 */
export async function sendHalf(
  visitor: Visitor,
  path: string,
  beginning: Buffer,
  { offset = 0, length }: { offset?: number; length: number },
): Promise<Socket> {
  const socket = connect(Number(new URL(visitor.base).port), '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  const headers = {
    ...PIECE_HEADERS,
    ...cookiesOf(visitor),
    host: 'x',
    'upload-offset': offset,
    'content-length': length,
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`PATCH ${path} HTTP/1.1\r\n${head.join('')}\r\n`);
  await new Promise((resolve) => socket.write(beginning, resolve));
  return socket;
}
