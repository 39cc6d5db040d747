import { randomBytes } from 'node:crypto';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rejection } from './conformance.ts';
import { KeyRefused, loadMasterKey, parseMasterKey, writeChecks } from './keys.ts';
import { deriveMasterKey } from './masterkey.ts';
import { openBlobStore } from './store.ts';

const test = suite<{ dataDir: string; key: string }>('the master key');
test.before.each(async (world) => {
  world.dataDir = join(await mkdtemp(join(tmpdir(), 'keys-')), 'data');
  world.key = join(world.dataDir, 'master.key');
});
test.after.each(({ dataDir }) => rm(join(dataDir, '..'), { recursive: true }));

/** Every path with its content and time of change, to see that nothing was touched. */
async function snapshot(dataDir: string): Promise<string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true }).catch(() => []);
  const lines = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    const content = entry.isFile() ? await readFile(path, 'hex') : '';
    return `${path} ${(await stat(path)).mtimeMs} ${content}`;
  });
  return (await Promise.all(lines)).toSorted();
}

async function refused(dataDir: string, options: object, because: string): Promise<void> {
  const before = await snapshot(dataDir);
  const error = await rejection(openBlobStore({ dataDir, ...options }));
  assert.instance(error, KeyRefused);
  assert.match((error as Error).message, because);
  assert.equal(await snapshot(dataDir), before);
}

test('is created once, readable by the owner only, and opens blobs stored before', async ({
  dataDir,
  key,
}) => {
  const first = await openBlobStore({ dataDir });
  assert.is(first.keyMadeAt, key);
  assert.is((await stat(key)).mode & 0o777, 0o600);
  assert.match(await readFile(key, 'utf8'), /^[0-9a-f]{64}\n$/);
  const { id } = await first.blobs.put(Readable.from(['ledger']));
  const second = await openBlobStore({ dataDir });
  assert.is(second.keyMadeAt, undefined);
  assert.is((await buffer(await second.blobs.get(id))).toString(), 'ledger');
});

test('can be set as hex, as base64, or as a file of text or bytes', async ({ dataDir }) => {
  const secret = randomBytes(32);
  const { blobs } = await openBlobStore({ dataDir, masterKey: secret.toString('hex') });
  const { id } = await blobs.put(Readable.from(['ledger']));
  const file = join(dataDir, '..', 'given');
  for (const content of [secret, `${secret.toString('base64')}\n`, secret.toString('hex').toUpperCase()]) {
    await writeFile(file, content);
    const { blobs } = await openBlobStore({ dataDir, masterKeyFile: file });
    assert.is(await blobs.size(id), 6);
  }
  await openBlobStore({ dataDir, masterKey: secret.toString('base64') });
  assert.not.ok((await readdir(dataDir)).includes('master.key'));
});

test('is refused when wrong, short or missing, and nothing is changed', async ({ dataDir, key }) => {
  const { blobs } = await openBlobStore({ dataDir });
  await blobs.put(Readable.from(['ledger']));
  await writeFile(join(dataDir, 'blobs', 'tmp', 'left-over'), 'x');
  await refused(dataDir, { masterKey: randomBytes(32).toString('hex') }, 'not the one');
  await refused(dataDir, { masterKey: 'abcd' }, 'MASTER_KEY does not hold a master key');
  await refused(dataDir, { masterKey: '00'.repeat(31) }, '62 characters');
  await refused(dataDir, { masterKeyFile: join(dataDir, 'none') }, 'is not there');
  await refused(dataDir, { masterKey: 'a', masterKeyFile: 'b' }, 'Set one of them');
  const text = await readFile(key, 'utf8');
  await writeFile(key, text.slice(0, 40));
  await refused(dataDir, {}, 'master.key does not hold a master key');
  await unlink(key);
  await refused(dataDir, {}, 'is missing');
});

test('is never created where sealed files exist, nor when the key check is damaged', async ({
  dataDir,
  key,
}) => {
  const { blobs } = await openBlobStore({ dataDir });
  await blobs.put(Readable.from(['ledger']));
  const check = join(dataDir, 'master.check');
  await writeFile(`${check}.aside`, await readFile(check));
  await writeFile(check, 'noise');
  await refused(dataDir, {}, 'is damaged');
  await unlink(check);
  await refused(dataDir, {}, 'no master.check');
  await unlink(key);
  await refused(dataDir, {}, 'a new master key');
  await rename(`${check}.aside`, check);
  await refused(dataDir, {}, 'is missing');
});

test('created by a start that was interrupted before anything was stored is used by the next start', async ({
  dataDir,
  key,
}) => {
  await loadMasterKey({ dataDir }, async () => false);
  await unlink(join(dataDir, 'master.check'));
  const text = await readFile(key, 'utf8');
  assert.is((await openBlobStore({ dataDir })).keyMadeAt, undefined);
  assert.is(await readFile(key, 'utf8'), text);
});

test('that is easily guessed is refused for a new folder, and only causes a warning where files are sealed with it', async ({
  dataDir,
}) => {
  const weak = [
    '00'.repeat(32),
    '0123456789abcdef'.repeat(4),
    Buffer.from('correct horse battery staple ok!').toString('hex'),
    'lettersabcdefghijklmnopqrstuvwxyzabcdefghij',
    Buffer.from(Array.from({ length: 32 }, (_, index) => index * 3)).toString('base64'),
  ];
  for (const masterKey of weak) await refused(dataDir, { masterKey }, 'could be guessed');
  const file = join(dataDir, '..', 'given');
  await writeFile(file, 'abcdefghijklmnopqrstuvwxyzabcdef');
  await refused(dataDir, { masterKeyFile: file }, 'could be guessed');
  await mkdir(dataDir);
  const old = deriveMasterKey(Buffer.alloc(32));
  await writeChecks(dataDir, old);
  const { weakKey } = await openBlobStore({ dataDir, masterKey: '00'.repeat(32) });
  assert.is(weakKey, true);
  await refused(dataDir, { masterKey: 'ff'.repeat(32) }, 'not the one');
});

test('that is random is never reported as weak', () => {
  for (let n = 0; n < 2000; n += 1) {
    const secret = randomBytes(32);
    assert.is(parseMasterKey(secret, '').weak, false);
    assert.is(parseMasterKey(secret.toString('base64'), '').weak, false);
  }
});

test('never appears in a message', async ({ dataDir }) => {
  await openBlobStore({ dataDir });
  const secret = randomBytes(31).toString('hex');
  const error = await rejection(openBlobStore({ dataDir, masterKey: secret }));
  assert.not.ok(String(error).includes(secret));
});

test('that cannot be read is an error, not an absent key', async ({ dataDir, key }) => {
  await openBlobStore({ dataDir });
  await unlink(key);
  await chmod(dataDir, 0o700);
  await rm(key, { force: true });
  await refused(dataDir, { masterKeyFile: dataDir }, 'is a folder. Give a file.');
});

test.run();
