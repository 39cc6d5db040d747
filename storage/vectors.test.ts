import { createCipheriv, createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sealedBytes } from './chunks.ts';
import { sealHeader } from './header.ts';
import { deriveMasterKey } from './masterkey.ts';
import { createMemoryBytes } from './memory.ts';
import { createSealedBlobs } from './sealed.ts';
import { createSealer } from './sealer.ts';

interface Vectors {
  keys: { masterKey: string; wrappingKey: string; keyId: string; keyCheck: string; serverSecret: string }[];
  blobs: {
    id: string;
    dataKey: string;
    nonce: string;
    chunkBytes: number;
    size: number;
    sha256: string;
    sealed?: string;
    sealedSha256?: string;
  }[];
}

const vectors = JSON.parse(await readFile(join(import.meta.dirname, 'vectors.json'), 'utf8')) as Vectors;
const master = deriveMasterKey(Buffer.from(vectors.keys[0]!.masterKey, 'hex'));
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const plainOf = (size: number): Buffer => Buffer.from(Array.from({ length: size }, (_, n) => n % 251));

function sealedOf({ id, dataKey, nonce, chunkBytes, size }: Vectors['blobs'][number]): Buffer {
  const key = Buffer.from(dataKey, 'hex');
  const content = Buffer.alloc(sealedBytes(size, chunkBytes));
  createSealer(key, chunkBytes).seal(plainOf(size), true, content);
  const head = sealHeader(master, { id, size, chunkBytes, dataKey: key, nonce: Buffer.from(nonce, 'hex') });
  return Buffer.concat([head, content]);
}

const test = suite('the format, against its test vectors');

test('a master key derives the same values as in earlier versions', () => {
  for (const { masterKey, wrappingKey, keyId, keyCheck, serverSecret } of vectors.keys) {
    const derived = deriveMasterKey(Buffer.from(masterKey, 'hex'));
    assert.is(derived.wrappingKey.export().toString('hex'), wrappingKey);
    assert.is(derived.keyId.toString('hex'), keyId);
    assert.is(derived.check.toString('hex'), keyCheck);
    assert.is(derived.serverSecret.toString('hex'), serverSecret);
  }
});

test('a blob is sealed to the same bytes as in earlier versions', () => {
  for (const vector of vectors.blobs) {
    const sealed = sealedOf(vector);
    if (vector.sealed) assert.is(sealed.toString('hex'), vector.sealed);
    else assert.is(sha256(sealed), vector.sealedSha256);
  }
});

test('blobs of earlier versions open, whatever the chunk size of this version', async () => {
  for (const vector of vectors.blobs) {
    const bytes = createMemoryBytes();
    const sealed = vector.sealed ? Buffer.from(vector.sealed, 'hex') : sealedOf(vector);
    await bytes.create(vector.id, 0).commit(Buffer.alloc(0), [sealed]);
    const plain = await buffer(await createSealedBlobs(bytes, master).get(vector.id));
    assert.is(plain.length, vector.size);
    assert.is(sha256(plain), vector.sha256);
  }
});

test('the bytes of a sealed blob are those that FORMAT.md describes, computed here independently', () => {
  const { id, dataKey, nonce, sealed } = vectors.blobs.find(({ size }) => size === 17)!;
  const encrypt = (key: string, iv: string, plain: Buffer, aad = ''): string => {
    const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'hex'), Buffer.from(iv, 'hex'));
    cipher.setAAD(Buffer.from(aad, 'hex'));
    return cipher.update(plain, undefined, 'hex') + cipher.final('hex') + cipher.getAuthTag().toString('hex');
  };
  const { wrappingKey, keyId } = vectors.keys[0]!;
  const fixed = ['414c4d4952414801', '00000010', '00000000', '0000000000000011'].join('');
  const slot = keyId + nonce + encrypt(wrappingKey, nonce, Buffer.from(dataKey, 'hex'), fixed + id);
  const first = encrypt(dataKey, '000000000000000000000000', plainOf(16));
  const second = encrypt(dataKey, '000000000000000000000101', Buffer.from([16]));
  assert.is(fixed + slot + '00'.repeat(68) + first + second, sealed);
});

test('a joined blob opens from the bytes that FORMAT.md describes, computed here independently', async () => {
  const encrypt = (key: string, iv: string, plain: Buffer, aad = ''): string => {
    const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'hex'), Buffer.from(iv, 'hex'));
    cipher.setAAD(Buffer.from(aad, 'hex'));
    return cipher.update(plain, undefined, 'hex') + cipher.final('hex') + cipher.getAuthTag().toString('hex');
  };
  const bytes = createMemoryBytes();
  const put = (id: string, sealed: string) =>
    bytes.create(id, 0).commit(Buffer.alloc(0), [Buffer.from(sealed, 'hex')]);
  const parts = vectors.blobs.filter(({ size }) => size === 17 || size === 16);
  for (const { id, sealed } of parts) await put(id, sealed!);
  const { wrappingKey, keyId } = vectors.keys[0]!;
  const [id, dataKey, nonce] = ['0e'.repeat(16), '2f'.repeat(32), '1c'.repeat(12)];
  const fixed = ['414c4d4952414802', '00000020', '00000002', '0000000000000021'].join('');
  const slot = keyId + nonce + encrypt(wrappingKey, nonce, Buffer.from(dataKey, 'hex'), fixed + id);
  const list = parts.map((part) => part.id + part.size.toString(16).padStart(16, '0')).join('');
  const first = encrypt(dataKey, '000000000000000000000000', Buffer.from(list, 'hex').subarray(0, 32));
  const second = encrypt(dataKey, '000000000000000000000101', Buffer.from(list, 'hex').subarray(32));
  await put(id, fixed + slot + '00'.repeat(68) + first + second);
  const plain = await buffer(await createSealedBlobs(bytes, master).get(id));
  assert.ok(plain.equals(Buffer.concat(parts.map(({ size }) => plainOf(size)))));
});

test.run();
