import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import { serveRequests } from '../serve-requests.ts';

/** What a process is to try that a file has taken over. */
export type Attempt =
  | { tries: 'read'; path: string }
  | { tries: 'list'; path: string }
  | { tries: 'write'; path: string }
  | { tries: 'connect' | 'listen' | 'datagram'; port: number }
  | { tries: 'look-up' | 'spawn' | 'native' | 'environment' | 'descriptors' }
  | { tries: 'flood' | 'lie' | 'memory' | 'for-ever' }
  | { tries: 'signal'; pid: number }
  | { tries: 'wait'; ms: number }
  | { tries: 'keep'; secret: string }
  | { tries: 'recall' };

const opened = (begin: (done: () => void, failed: (error: Error) => void) => void) =>
  new Promise<string>((resolve, reject) => begin(() => resolve('done'), reject));

let kept = '';

async function attempt(order: Attempt): Promise<string> {
  switch (order.tries) {
    case 'read':
      return readFileSync(order.path, 'latin1').slice(0, 100);
    case 'list':
      return readdirSync(order.path).join(' ');
    case 'write':
      writeFileSync(order.path, 'taken');
      return 'done';
    case 'connect':
      return opened((done, failed) => connect(order.port, '127.0.0.1', done).once('error', failed));
    case 'listen':
      return opened((done, failed) =>
        createServer().once('error', failed).listen(order.port, '127.0.0.1', done),
      );
    case 'datagram':
      return opened((done, failed) =>
        createSocket('udp4')
          .once('error', failed)
          .send('taken', order.port, '127.0.0.1', (error) => (error ? failed(error) : done())),
      );
    case 'look-up':
      return (await lookup('example.com')).address;
    case 'spawn': {
      const { error, stdout } = spawnSync(process.execPath, ['--version']);
      if (error) throw error;
      return stdout.toString();
    }
    case 'signal':
      process.kill(order.pid, 0);
      return 'done';
    case 'native': {
      // Compiled code of any kind: whoever runs it is bound by no promise of Node's.
      const { dlopen } = process as unknown as { dlopen(module: object, path: string): void };
      dlopen({ exports: {} }, createRequire(import.meta.url).resolve('sharp'));
      return 'done';
    }
    case 'wait':
      await wait(order.ms);
      return 'done';
    case 'environment':
      return JSON.stringify(process.env);
    case 'descriptors': {
      const { fstatSync } = await import('node:fs');
      const numbers = Array.from({ length: 256 }, (_, fd) => fd);
      return numbers
        .filter((fd) => {
          try {
            const is = fstatSync(fd);
            return is.isFile() || is.isDirectory() || is.isBlockDevice();
          } catch {
            return false;
          }
        })
        .join(' ');
    }
    case 'flood': {
      const { writeSync } = await import('node:fs');
      const head = Buffer.alloc(8);
      head.writeUInt32BE(2);
      head.writeUInt32BE(2 ** 30, 4);
      writeSync(3, head);
      for (let sent = 0; sent < 1024; sent += 1) writeSync(3, Buffer.alloc(1024 * 1024));
      return 'done';
    }
    case 'lie': {
      const { writeSync } = await import('node:fs');
      writeSync(3, '\0\0\0\x05\0\0\0\x01no!!!!');
      return 'done';
    }
    case 'memory': {
      const all: Buffer[] = [];
      for (;;) all.push(Buffer.alloc(64 * 1024 * 1024, 1));
    }
    case 'for-ever':
      for (;;);
    case 'keep':
      kept = order.secret;
      return 'done';
    case 'recall':
      return kept;
  }
}

serveRequests(async (order: Attempt) => ({ got: await attempt(order) }));
