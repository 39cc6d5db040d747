import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import busboy from 'busboy';
import { timed } from './measure.ts';

const CHUNK = 65_536;

/** What this machine can do with `bytes` bytes when it does nothing else; wall seconds of each. */
export interface Limits {
  diskWrite: number;
  sha256: number;
  aesGcm: number;
  busboy: number;
}

export async function limits(bytes: number, folder: string): Promise<Limits> {
  const block = randomBytes(CHUNK);
  const blocks = bytes / CHUNK;
  return {
    diskWrite: await timed(() => diskWrite(join(folder, 'plain'), blocks, block)),
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
}

async function diskWrite(path: string, blocks: number, block: Buffer): Promise<void> {
  const file = await open(path, 'w');
  for (let i = 0; i < blocks; i += 1) await file.write(block);
  await file.sync();
  await file.close();
  await rm(path);
}

function parse(blocks: number, block: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const parser = busboy({ headers: { 'content-type': 'multipart/form-data; boundary=b' } });
    parser.on('file', (_name, file) => file.resume());
    parser.on('close', resolve).on('error', reject);
    parser.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n');
    let left = blocks;
    const pump = (): void => {
      while (left > 0) {
        left -= 1;
        if (!parser.write(block)) {
          parser.once('drain', pump);
          return;
        }
      }
      parser.end('\r\n--b--\r\n');
    };
    pump();
  });
}
