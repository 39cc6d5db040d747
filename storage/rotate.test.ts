import { randomBytes } from 'node:crypto';
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BlobCorrupt } from './blobs.ts';
import type { RewritableBytes } from './bytes.ts';
import { rejection } from './conformance.ts';
import { HEADER_BYTES, openHeader, SLOT_BYTES, slotOffset } from './header.ts';
import { KeyRefused, parseMasterKey, writeChecks } from './keys.ts';
import { deriveMasterKey } from './masterkey.ts';
import { createMemoryBytes } from './memory.ts';
import { replaceMasterKey, rewrap } from './rotate.ts';
import { createSealedBlobs } from './sealed.ts';
import { openBlobStore } from './store.ts';

const test = suite<{ dataDir: string }>('replacing the master key');
test.before.each(async (world) => {
  world.dataDir = await mkdtemp(join(tmpdir(), 'rotate-'));
});
test.after.each(({ dataDir }) => rm(dataDir, { recursive: true }));

test('every blob opens with the new key, and none with the old', async ({ dataDir }) => {
  const { blobs, keyMadeAt } = await openBlobStore({ dataDir });
  const old = await readFile(keyMadeAt!, 'utf8');
  const ids = await Promise.all(
    ['a', 'b', 'c'].map(async (word) => (await blobs.put(Readable.from([word]))).id),
  );
  for (let round = 0; round < 3; round += 1) {
    assert.equal(await replaceMasterKey({ dataDir }), { moved: 3, damaged: [] });
    const { blobs } = await openBlobStore({ dataDir });
    assert.equal(await Promise.all(ids.map(async (id) => text(await blobs.get(id)))), ['a', 'b', 'c']);
  }
  assert.is.not(await readFile(keyMadeAt!, 'utf8'), old);
  assert.instance(await rejection(openBlobStore({ dataDir, masterKey: old })), KeyRefused);
  assert.instance(await rejection(access(`${keyMadeAt}.next`)), Error);
});

test('a key from a setting is only replaced by another from a setting, so that no key file is left behind', async ({
  dataDir,
}) => {
  const [masterKey, replacement] = [randomBytes(32).toString('hex'), randomBytes(32).toString('base64')];
  const { blobs } = await openBlobStore({ dataDir, masterKey });
  const { id } = await blobs.put(Readable.from(['ledger']));
  assert.instance(await rejection(replaceMasterKey({ dataDir, masterKey })), KeyRefused);
  await writeChecks(dataDir, parseMasterKey(replacement, 'new'), parseMasterKey(masterKey, 'old'));
  const early = await rejection(replaceMasterKey({ dataDir, masterKey: replacement }, replacement));
  assert.match(String(early), 'Give the old key as before');
  await replaceMasterKey({ dataDir, masterKey }, replacement);
  const reopened = await openBlobStore({ dataDir, masterKey: replacement });
  assert.is(await text(await reopened.blobs.get(id)), 'ledger');
});

test('the present key is not taken for the new one, because then nothing would be replaced', async ({
  dataDir,
}) => {
  const masterKey = randomBytes(32).toString('hex');
  await openBlobStore({ dataDir, masterKey });
  const refused = await rejection(replaceMasterKey({ dataDir, masterKey }, masterKey));
  assert.instance(refused, KeyRefused);
  assert.match(String(refused), /is the present one/);
});

test('with a key that does not belong to the folder nothing is replaced', async ({ dataDir }) => {
  await openBlobStore({ dataDir });
  const check = await readFile(join(dataDir, 'master.check'), 'utf8');
  const masterKey = randomBytes(32).toString('hex');
  assert.instance(await rejection(replaceMasterKey({ dataDir, masterKey }, masterKey)), KeyRefused);
  assert.is(await readFile(join(dataDir, 'master.check'), 'utf8'), check);
});

test('after an interruption the store does not open until the replacement is run again, which completes it', async ({
  dataDir,
}) => {
  const { blobs, keyMadeAt } = await openBlobStore({ dataDir });
  const { id } = await blobs.put(Readable.from(['ledger']));
  const from = parseMasterKey(await readFile(keyMadeAt!), 'old');
  const next = randomBytes(32).toString('hex');
  await writeFile(`${keyMadeAt}.next`, next);
  await writeChecks(dataDir, parseMasterKey(next, 'new'), from);
  assert.match(String(await rejection(openBlobStore({ dataDir }))), 'did not finish');
  assert.is((await replaceMasterKey({ dataDir })).moved, 1);
  assert.is(await readFile(keyMadeAt!, 'utf8'), next);

  await writeChecks(dataDir, parseMasterKey(next, 'new'), from);
  assert.is((await replaceMasterKey({ dataDir })).moved, 1);
  const reopened = await openBlobStore({ dataDir });
  assert.is(await text(await reopened.blobs.get(id)), 'ledger');
});

test('interrupted after or in the middle of any write, one of the two keys opens the blob', async () => {
  const [from, to] = [deriveMasterKey(randomBytes(32)), deriveMasterKey(randomBytes(32))];
  const bytes = createMemoryBytes();
  for (let budget = 0; budget <= 136; budget += 1) {
    let left = budget;
    const torn: RewritableBytes = {
      ...bytes,
      async overwrite(id, position, replacement) {
        const part = replacement.subarray(0, left);
        left -= part.length;
        await bytes.overwrite(id, position, part);
        if (part.length < replacement.length) throw new Error('power cut');
      },
    };
    const { id } = await createSealedBlobs(bytes, from).put(Readable.from(['ledger']));
    await rewrap(torn, id, from, to).catch(() => {});
    // Not read through the store, which stays shut until the other slot is empty.
    const head = Buffer.alloc(HEADER_BYTES);
    const reader = await bytes.open(id);
    await reader.read(head, 0).finally(() => reader.close());
    assert.ok(
      [from, to].some((key) => typeof openHeader(key, id, head) !== 'string'),
      `after ${budget} bytes`,
    );
    await rewrap(bytes, id, from, to);
    assert.is(await text(await createSealedBlobs(bytes, to).get(id)), 'ledger');
    assert.instance(await rejection(createSealedBlobs(bytes, from).get(id)), BlobCorrupt);
  }
});

test('a blob with stray bytes in its unused slot, which readers report as damage, is sound again under the new key', async () => {
  const [from, to] = [deriveMasterKey(randomBytes(32)), deriveMasterKey(randomBytes(32))];
  const bytes = createMemoryBytes();
  const read = async (id: string, key: typeof from) => text(await createSealedBlobs(bytes, key).get(id));
  const { id } = await createSealedBlobs(bytes, from).put(Readable.from(['ledger']));
  await bytes.overwrite(id, slotOffset(1), randomBytes(SLOT_BYTES));
  assert.match(String(await rejection(read(id, from))), 'its unused slot is not empty');
  await rewrap(bytes, id, from, to);
  assert.is(await read(id, to), 'ledger');
  await bytes.overwrite(id, slotOffset(0), Buffer.from([1]));
  assert.match(String(await rejection(read(id, to))), 'its unused slot is not empty');
  await rewrap(bytes, id, from, to);
  assert.is(await read(id, to), 'ledger', 'also when it has the new key already');
});

test.run();
