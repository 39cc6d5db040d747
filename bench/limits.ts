import { execFile } from 'node:child_process';
import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import busboy from 'busboy';
import { timed } from './measure.ts';

const CHUNK = 65_536;

/** Wall seconds that single steps take on this machine for a number of bytes, without other work. */
interface Limits {
  /** Processor seconds of hashing, encrypting and parsing together. */
  cpu: number;
  diskWrite: number;
  sha256: number;
  aesGcm: number;
  busboy: number;
}

export async function limits(bytes: number, folder: string): Promise<Limits> {
  const block = randomBytes(CHUNK);
  const blocks = bytes / CHUNK;
  const diskWrite = await timed(() => dd(join(folder, 'plain'), bytes));
  const before = process.cpuUsage();
  const alone = {
    sha256: await timed(() => {
      const hash = createHash('sha256');
      for (let i = 0; i < blocks; i += 1) hash.update(block);
      hash.digest();
    }),
    aesGcm: await timed(() => {
      const key = randomBytes(32);
      const nonce = Buffer.alloc(12);
      for (let i = 0; i < blocks; i += 1) {
        nonce.writeUInt32BE(i, 0);
        const cipher = createCipheriv('aes-256-gcm', key, nonce);
        cipher.update(block);
        cipher.final();
        cipher.getAuthTag();
      }
    }),
    busboy: await timed(() => parse(blocks, block)),
  };
  const { user, system } = process.cpuUsage(before);
  return { diskWrite, ...alone, cpu: (user + system) / 1e6 };
}

async function dd(path: string, bytes: number): Promise<void> {
  const to = ['if=/dev/zero', `of=${path}`, 'bs=1M', `count=${bytes / 1024 ** 2}`, 'conv=fdatasync'];
  await promisify(execFile)('dd', to);
  await rm(path);
}

/** Flushes per second of the disk, one after another: the limit for files that are saved one by one. */
export async function flushes(folder: string, count = 300): Promise<number> {
  const path = join(folder, 'flushed');
  const file = await open(path, 'w');
  const block = randomBytes(4096);
  const seconds = await timed(async () => {
    for (let n = 0; n < count; n += 1) {
      await file.write(block);
      await file.datasync();
    }
  });
  await file.close();
  await rm(path);
  return count / seconds;
}

/** As long as a browser's: a parser skips as many bytes at a time as the boundary has. */
const BOUNDARY = '----WebKitFormBoundary7MA4YWxkTrZu0gW0';

function parse(blocks: number, block: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const parser = busboy({ headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } });
    parser.on('file', (_name, file) => file.resume());
    parser.on('close', resolve).on('error', reject);
    parser.write(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n`);
    let remaining = blocks;
    const pump = (): void => {
      while (remaining > 0) {
        remaining -= 1;
        if (!parser.write(block)) {
          parser.once('drain', pump);
          return;
        }
      }
      parser.end(`\r\n--${BOUNDARY}--\r\n`);
    };
    pump();
  });
}
