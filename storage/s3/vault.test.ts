import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { checkHeader } from '../checking.ts';
import { listed, pieces, readObject, rejection } from '../conformance.ts';
import { HEADER_BYTES } from '../header.ts';
import { findMasterKey, KeyRefused, keyPath } from '../keys.ts';
import { replaceMasterKey } from '../rotate.ts';
import { openBlobStore, openVaultBytes } from '../store.ts';
import type { S3Address } from './address.ts';
import { parseS3Address } from './address.ts';
import { openS3Bytes } from './bytes.ts';
import { createS3Client } from './client.ts';
import { S3Refused } from './errors.ts';
import { failWith, startFaultyProxy } from './testing/faults.ts';
import { freshBucket, isReal, testServer } from './testing/server.ts';
import { VAULT_COPY, VAULT_OBJECT } from './vault-object.ts';

const scratch = mkdtempSync(join(tmpdir(), 'almirah-bucket-'));
const server = await testServer();
test.after(async () => {
  await server.close();
  rmSync(scratch, { recursive: true });
});

let made = 0;
async function vault(s3?: S3Address) {
  const dataDir = join(scratch, String((made += 1)));
  await mkdir(dataDir);
  const id = randomBytes(16).toString('hex');
  const source = { dataDir, s3: s3 ?? (await freshBucket(server)), vaultId: async () => id };
  return { ...source, open: (change: object = {}) => openBlobStore({ ...source, ...change }) };
}
async function vaultOf() {
  const source = await vault();
  await source.open();
  return source;
}
const put = async (store: { blobs: Awaited<ReturnType<typeof openBlobStore>>['blobs'] }, content: string) =>
  (await store.blobs.put(Readable.from([content]))).id;
const refused = async (open: Promise<unknown>): Promise<string> => {
  const error = await rejection(open);
  assert.ok(error instanceof KeyRefused || error instanceof S3Refused, String(error));
  return (error as Error).message;
};
const raw = (s3: S3Address) => openS3Bytes(createS3Client(s3));

test('the blobs of a vault with a bucket are stored in the bucket, encrypted, and none in the data folder', async () => {
  const { open, s3, dataDir } = await vault();
  const id = await put(await open(), 'ledger of Rao and Sons');
  assert.is(await text(await (await open()).blobs.get(id)), 'ledger of Rao and Sons');
  const large = randomBytes(3_000_000);
  const { blobs } = await open();
  const stored = await blobs.put(pieces(large, 65_536));
  assert.ok(large.equals(await buffer(await blobs.get(stored.id))));
  const range = { start: 2_500_000, end: 2_565_535 };
  assert.ok(large.subarray(2_500_000, 2_565_536).equals(await buffer(await blobs.get(stored.id, range))));
  const there = await readObject(raw(s3), id);
  assert.not.ok(there.includes('ledger'));
  assert.not.ok((await readdir(dataDir)).includes('blobs'));
});

test('the objects of a bucket are presented as files on a disk, so that backups of both are the same', async () => {
  const source = await vault();
  const id = await put(await source.open(), 'ledger');
  const master = (await findMasterKey(source))!;
  const bytes = await openVaultBytes(source, master, false);
  const reader = await bytes.open(id);
  assert.is((await checkHeader(master, id, reader)).size, 6);
  await reader.close();
  assert.equal(await readObject(bytes, id), await readObject(bytes, id));
  const sealed = await readObject(bytes, id);
  const copy = bytes.create(id, 64);
  await copy.write([sealed.subarray(64, 70), sealed.subarray(70)]);
  await copy.commit(sealed.subarray(0, 64), []);
  assert.equal(await readObject(bytes, id), sealed);
  const stored = await readObject(raw(source.s3), id);
  assert.equal(stored.subarray(HEADER_BYTES), sealed.subarray(HEADER_BYTES));
  assert.not.equal(stored.subarray(24, 92), sealed.subarray(24, 92));
});

test('the master key is replaced without writing to the stored objects, and the old key opens nothing any more', async () => {
  const source = await vault();
  const id = await put(await source.open(), 'ledger');
  const before = await readObject(raw(source.s3), id);
  await copyFile(keyPath(source.dataDir), join(scratch, 'old.key'));
  assert.equal(await replaceMasterKey(source), { moved: null, damaged: [] });
  assert.equal(await readObject(raw(source.s3), id), before);
  const later = await source.open();
  assert.is(await text(await later.blobs.get(id)), 'ledger');
  const fresh = await put(later, 'of the new key');
  assert.is(await text(await (await source.open()).blobs.get(fresh)), 'of the new key');
  const client = createS3Client(source.s3);
  const { body } = await client.ask({ method: 'GET', key: VAULT_OBJECT });
  assert.is((JSON.parse(body.toString()) as { rings: unknown[] }).rings.length, 1);
  await rm(join(source.dataDir, 'master.check'));
  await rm(join(source.dataDir, VAULT_COPY));
  await copyFile(join(scratch, 'old.key'), keyPath(source.dataDir));
  assert.match(
    await refused(openVaultBytes(source, (await findMasterKey(source))!, false)),
    'another master key',
  );
});

test('a replacement of the key that was interrupted because the bucket refused a request is completed by the same command', async () => {
  const real = await freshBucket(server);
  const proxy = await startFaultyProxy(server.endpoint);
  const source = await vault({ ...real, endpoint: proxy.endpoint });
  const id = await put(await source.open(), 'ledger');
  proxy.next(/^PUT .*almirah.json/, failWith(403, 'AccessDenied'));
  assert.match(await refused(replaceMasterKey(source)), 'may not use');
  assert.match(await refused(source.open()), 'was being replaced');
  await replaceMasterKey(source);
  assert.is(await text(await (await source.open()).blobs.get(id)), 'ledger');
  await proxy.close();
});

test('the bucket of another vault is refused, even that of a copy of this one, and nothing in it is changed', async () => {
  const ours = await vault();
  const id = await put(await ours.open(), 'ledger');
  const other = await vault(ours.s3);
  assert.match(
    await refused(other.open()),
    'Set BLOBS, MASTER_KEY_FILE and DATABASE_URL to those that go together',
  );
  const twin = await vault(ours.s3);
  for (const name of ['master.key', 'master.check'])
    await copyFile(join(ours.dataDir, name), join(twin.dataDir, name));
  assert.match(await refused(twin.open()), 'belongs to another data folder');
  assert.equal(await listed((await ours.open()).blobs), [id]);
});
test('a bucket with another master key is refused, and so is one that has files without their keys', async () => {
  const ours = await vaultOf();
  const stranger = await vaultOf();
  await rm(join(stranger.dataDir, VAULT_COPY));
  assert.match(await refused(stranger.open({ s3: ours.s3 })), 'another master key');
  await put(await ours.open(), 'ledger');
  const client = createS3Client(ours.s3);
  await client.ask({ method: 'DELETE', key: VAULT_OBJECT });
  assert.match(await refused(ours.open()), 'does not hold them');
  await rm(join(ours.dataDir, VAULT_COPY));
  assert.match(await refused(ours.open()), 'holds stored files but no almirah.json');
});

test('a vault whose files are in a bucket never opens with files in the folder, nor the other way round', async () => {
  const ours = await vaultOf();
  assert.match(await refused(ours.open({ s3: null })), 'are in s3://');
  assert.match(await refused(replaceMasterKey({ dataDir: ours.dataDir })), 'are in s3://');
  const onDisk = await vault();
  await put(await onDisk.open({ s3: null }), 'ledger');
  assert.match(await refused(onDisk.open()), 'move --to-blobs');
});

test('a missing bucket, a wrong key, a wrong secret and a wrong clock have messages that say what to do', async () => {
  const { open, s3 } = await vault();
  assert.match(
    await refused(open({ s3: { ...s3, bucket: 'not-there-at-all' } })),
    'There is no bucket "not-there-at-all"',
  );
  if (isReal) {
    assert.match(await refused(open({ s3: { ...s3, secret: 'wrong' } })), 'Check the secret');
    assert.match(await refused(open({ s3: { ...s3, keyId: 'nobody' } })), 'Check the key id');
  }
  const proxy = await startFaultyProxy(server.endpoint);
  for (const [code, says] of [
    ['SignatureDoesNotMatch', 'Check the secret'],
    ['InvalidAccessKeyId', 'Check the key id'],
    ['RequestTimeTooSkewed', 'Set this clock right'],
    ['PermanentRedirect', 'is not in the region'],
  ] as const) {
    proxy.next(/./, failWith(403, code));
    assert.match(await refused(open({ s3: { ...s3, endpoint: proxy.endpoint } })), says);
  }
  await proxy.close();
});

test('an address with endpoint and region is parsed, and all errors in it are reported', () => {
  const key = { keyId: 'k', secret: 's' };
  const problems: string[] = [];
  const given = 's3://vault/firm/a?endpoint=http://127.0.0.1:9000/&region=ap-south-1';
  const { bucket, prefix, endpoint, region, address } = parseS3Address(given, key, problems);
  assert.equal(
    [bucket, prefix, endpoint, region, address, problems],
    ['vault', 'firm/a/', 'http://127.0.0.1:9000', 'ap-south-1', 's3://vault/firm/a', []],
  );
  assert.is(
    parseS3Address('s3://vault?region=ap-south-1', key, problems).endpoint,
    'https://s3.ap-south-1.amazonaws.com',
  );
  assert.equal(problems, []);
  parseS3Address('s3://V?endpoint=http://example.in&colour=red', key, problems);
  assert.is(problems.length, 3, problems.join('\n'));
});

test.run();
