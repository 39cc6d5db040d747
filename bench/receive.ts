import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';

interface Received {
  /** Of the body. */
  bytes: number;
  /** Seconds until the first byte of the body, and until the last. */
  first: number;
  all: number;
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** Reads a response into one buffer that is reused, since Node's HTTP client takes longer for 1 GiB than the server. */
export function receive(url: string, path: string): Promise<Received> {
  const { hostname, port } = new URL(url);
  const started = performance.now();
  const since = () => (performance.now() - started) / 1000;
  return new Promise((resolve, reject) => {
    let head: Buffer | undefined = Buffer.alloc(0);
    let expected = -1;
    let bytes = 0;
    let first = 0;
    const read = (length: number, memory: Uint8Array): boolean => {
      if (!head) {
        first ||= since();
        bytes += length;
        return true;
      }
      head = Buffer.concat([head, memory.subarray(0, length)]);
      const end = head.indexOf(END_OF_HEAD);
      if (end < 0) return true;
      const text = head.toString('latin1', 0, end);
      if (!text.startsWith('HTTP/1.1 200')) socket.destroy(new Error(text));
      expected = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]);
      bytes = head.length - end - END_OF_HEAD.length;
      if (bytes > 0) first = since();
      head = undefined;
      return true;
    };
    const socket = connect({
      host: hostname,
      port: Number(port),
      onread: { buffer: Buffer.alloc(1024 * 1024), callback: read },
    });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`);
    socket.on('error', reject);
    socket.on('close', () => {
      if (bytes === expected) resolve({ bytes, first, all: since() });
      else reject(new Error(`${path}: ${bytes} of ${expected} bytes`));
    });
  });
}
