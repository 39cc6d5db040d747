import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freshBucket, testServer } from '#storage/s3/testing/server.ts';
import { failWith, startFaultyProxy } from '#storage/s3/testing/faults.ts';
import { readConfig } from '../config/config.ts';
import { openDataDir } from '../datadir/datadir.ts';
import { createHealth } from '../datadir/health.ts';
import { backup } from './backup.ts';
import type { Command } from './command.ts';
import { move } from './move.ts';
import type { Office } from '../testing/command-office.ts';
import { eachOffice } from '../testing/command-office.ts';
import { openAlongside } from './open-alongside.ts';
import { replaceKey } from './replace-key.ts';
import { restore } from './restore.ts';
import { sweep } from './sweep.ts';
import { verify } from './verify.ts';

const test = suite<Office>('moving files into a bucket and back');
eachOffice(test);
const server = await testServer();
test.after(() => server.close());

async function placeOf(endpoint = server.endpoint) {
  const { address } = await freshBucket(server);
  const env = { BLOBS_S3_KEY_ID: server.keyId, BLOBS_S3_SECRET: server.secret };
  return { address: `${address}?endpoint=${endpoint}`, env };
}

async function run(command: Command, env: Record<string, string>, args: string[] = [], options = {}) {
  const said: string[] = [];
  const sound = await command.run({ args, options, env, say: (line) => said.push(line) });
  return { sound, said: said.join('\n') };
}

async function contentOf(env: Record<string, string>, id: string): Promise<Buffer> {
  const vault = await openAlongside(readConfig(env));
  return buffer(await vault.blobs.get(id)).finally(vault.close);
}

test('files are copied into a bucket while the server runs, switched once it is stopped, and all commands work as before', async (office) => {
  const { services, build, actor, dataDir, scratch } = office;
  const { address, env } = await placeOf();
  const [onDisk, inBucket] = [
    { DATA_DIR: dataDir, ...env },
    { DATA_DIR: dataDir, ...env, BLOBS: address },
  ];
  const content = randomBytes(700_000);
  const first = await build.file(actor, { name: 'first.pdf', content });
  const running = await run(move, onDisk, [], { 'to-blobs': address });
  assert.match(running.said, /1 of 1 stored files .* there; .*copied now, and read back/);
  assert.match(running.said, 'nothing was switched');
  await openAlongside(readConfig(inBucket)).then(
    () => assert.unreachable('the bucket lacks what comes until the switch'),
    (error: Error) => assert.match(error.message, /but the files of .* are in the folder/),
  );
  const later = await build.file(actor, { name: 'later.pdf', content: randomBytes(10) });
  const { blob_id } = await services.documents.openFile(actor, first.id);
  const { blob_id: laterBlob } = await services.documents.openFile(actor, later.id);
  await services.stop();
  await office.close();
  const moved = await run(move, onDisk, [], { 'to-blobs': address });
  assert.match(moved.said, /are in s3:.* now\. Set BLOBS=/);

  await openAlongside(readConfig(onDisk)).then(
    () => assert.unreachable('the folder is not where the files are'),
    (error: Error) => assert.match(error.message, 'Set BLOBS to it'),
  );
  await rm(join(dataDir, 'blobs'), { recursive: true });
  assert.ok(content.equals(await contentOf(inBucket, blob_id)));
  const sound = await run(verify, inBucket, [], { 'read-data': true });
  assert.ok(sound.sound, sound.said);
  assert.match(sound.said, '2 files');

  assert.ok((await run(replaceKey, inBucket)).sound);
  assert.ok(content.equals(await contentOf(inBucket, blob_id)));
  assert.match((await run(sweep, inBucket, [], { hours: '1' })).said, '0 blobs without a file');

  const target = join(scratch, 'backup');
  assert.ok((await run(backup, inBucket, [target], { 'with-key': true })).sound);
  const restored = join(scratch, 'restored');
  const back = await run(restore, onDisk, [target, restored], { 'read-data': true });
  assert.ok(back.sound, back.said);
  assert.ok(content.equals(await contentOf({ DATA_DIR: restored }, blob_id)));

  const returned = await run(move, inBucket, [], { 'to-blobs': 'disk' });
  assert.match(returned.said, 'Leave BLOBS out');
  assert.ok(content.equals(await contentOf(onDisk, blob_id)));
  assert.is((await contentOf(onDisk, laterBlob)).length, 10);
  assert.not.ok((await readdir(dataDir)).includes('blobs.s3.json'));
  Object.assign(office, { services: { stop: async () => {} }, close: async () => {} });
});

test('a copy that is not right when it is read back is not called a damaged file, which somebody would delete', async (office) => {
  const { build, actor, dataDir } = office;
  const proxy = await startFaultyProxy(server.endpoint);
  const { address, env } = await placeOf(proxy.endpoint);
  await build.file(actor, { name: 'good.pdf', content: randomBytes(3000) });
  const onDisk = { DATA_DIR: dataDir, ...env };
  try {
    proxy.next(
      /^GET .*\/blobs\//,
      async (_asked, answer, pass) => {
        const { status, headers, body } = await pass();
        if (status === 206) body[body.length - 1]! ^= 1;
        answer.writeHead(status, headers).end(body);
      },
      Infinity,
    );
    const broken = await run(move, onDisk, [], { 'to-blobs': address });
    assert.match(broken.said, /WRONG: .* its copy was not right when it was read back/);
    assert.match(broken.said, 'The files themselves are good where they are: run this again');
    assert.not(broken.sound);
    proxy.calm();
    assert.ok((await run(move, onDisk, [], { 'to-blobs': address })).sound);
  } finally {
    await proxy.close();
  }
});

test('files that an earlier move left behind are copied anew if the master key was replaced since, because it does not open them', async (office) => {
  const { services, build, actor, dataDir } = office;
  const { address, env } = await placeOf();
  const onDisk = { DATA_DIR: dataDir, ...env };
  const inBucket = { ...onDisk, BLOBS: address };
  const content = randomBytes(3000);
  const file = await build.file(actor, { name: 'old.pdf', content });
  const { blob_id } = await services.documents.openFile(actor, file.id);
  await services.stop();
  await office.close();
  Object.assign(office, { services: { stop: async () => {} }, close: async () => {} });
  assert.match((await run(move, onDisk, [], { 'to-blobs': address })).said, 'Set BLOBS=');
  assert.ok((await run(replaceKey, inBucket)).sound);
  const returned = await run(move, inBucket, [], { 'to-blobs': 'disk' });
  assert.match(returned.said, 'Leave BLOBS out');
  assert.ok(content.equals(await contentOf(onDisk, blob_id)));
});

test('a server with its files in a bucket reports when the bucket is unavailable, and recovers', async ({
  scratch,
}) => {
  const proxy = await startFaultyProxy(server.endpoint);
  const { address, env } = await placeOf(proxy.endpoint);
  const config = readConfig({ DATA_DIR: join(scratch, 'other'), ...env, BLOBS: address });
  const vault = await openDataDir(config, pino({ level: 'silent' }));
  const health = createHealth(vault);
  assert.equal(await health(), []);
  proxy.next(/almirah.json/, failWith(403, 'AccessDenied'));
  const [problem] = await health();
  assert.is(problem?.code, 'storage_away');
  assert.match(problem!.message, 'may not use');
  assert.equal(await health(), []);
  await vault.close();
  await proxy.close();
});

test('the bucket of another vault is refused', async ({ dataDir, scratch }) => {
  const { address, env } = await placeOf();
  const other = readConfig({ DATA_DIR: join(scratch, 'other'), ...env, BLOBS: address });
  await (await openDataDir(other, pino({ level: 'silent' }))).close();
  await run(move, { DATA_DIR: dataDir, ...env }, [], { 'to-blobs': address }).then(
    () => assert.unreachable('it is not ours'),
    (error: Error) => assert.match(error.message, 'belongs to a vault with another master key'),
  );
});

test.run();
