import { generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { create } from 'tar';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openRelease } from './archive.ts';
import { packRelease } from './pack.ts';
import { BadRelease, readKeys, signRelease } from './release.ts';
import { makeKey, writeVersion } from './testing/installation.ts';

interface World {
  scratch: string;
  folder: string;
  archive: string;
  files: string[];
  privateKey: KeyObject;
  keys: KeyObject[];
}

const test = suite<World>('archives of releases');
const FACTS = {
  version: '1.1.0',
  node: 20,
  commit: 'c0ffee',
  made_at: '2026-11-23T00:00:00.000Z',
  migrations: ['1_first.ts'],
};

test.before.each(async (world) => {
  world.scratch = await mkdtemp(join(tmpdir(), 'almirah-release-'));
  world.folder = join(world.scratch, 'next');
  world.archive = join(world.scratch, 'almirah.tar.gz');
  world.files = await writeVersion(world.folder, '1.1.0', ['1_first.ts'], ['@at.js']);
  const { privateKey, key } = makeKey();
  Object.assign(world, { privateKey, keys: readKeys(`# ours\n${key} of the maintainer\n`) });
  await packRelease(world.folder, world.files, world.archive, FACTS, privateKey);
});
test.after.each(({ scratch }) => rm(scratch, { recursive: true }));

async function refused({ archive, keys, scratch }: World, why: RegExp): Promise<void> {
  const target = join(scratch, 'target');
  for (const folder of [null, target]) {
    await rm(target, { recursive: true, force: true });
    await mkdir(target);
    await openRelease(archive, keys, folder).then(
      () => assert.unreachable('it was taken'),
      (error: Error) => {
        assert.instance(error, BadRelease, error.stack);
        assert.match(error.message, why);
      },
    );
  }
}

/** Makes an archive of these entries in this order, whatever the list says, signed with the key `sign`. */
async function handMade(
  world: World,
  list: object,
  entries: string[],
  sign = world.privateKey,
): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(list));
  await writeFile(join(world.folder, 'RELEASE.json'), bytes);
  await writeFile(join(world.folder, 'RELEASE.sig'), signRelease(bytes, sign));
  await create(
    { file: world.archive, cwd: world.folder, gzip: true, portable: true, preservePaths: true },
    entries,
  );
}
const listOf = async ({ folder, files }: World): Promise<{ files: Record<string, unknown> }> => {
  const { createHash } = await import('node:crypto');
  const listed: Record<string, unknown> = {};
  for (const path of files) {
    const bytes = await readFile(join(folder, path));
    listed[path] = { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  }
  return { product: 'almirah', format: 1, ...FACTS, files: listed } as never;
};
const HEAD = ['RELEASE.json', 'RELEASE.sig'];

test('an archive is unpacked completely, with its file names', async ({ archive, keys, scratch, files }) => {
  const target = join(scratch, 'target');
  await mkdir(target);
  assert.is((await openRelease(archive, keys, null)).version, '1.1.0');
  assert.equal(await readdir(target), [], 'a check writes nothing');
  const release = await openRelease(archive, keys, target);
  assert.equal(Object.keys(release.files).toSorted(), files.toSorted());
  assert.is(await readFile(join(target, '@at.js'), 'utf8'), 'x');
});

test('the same files give the same archive, so that builds can be reproduced', async ({
  folder,
  files,
  archive,
  privateKey,
  scratch,
}) => {
  const again = join(scratch, 'again.tar.gz');
  const umask = process.umask(0o077);
  await writeVersion(folder, '1.1.0', ['1_first.ts'], ['@at.js']);
  await packRelease(folder, files.toReversed(), again, FACTS, privateKey);
  process.umask(umask);
  assert.ok((await readFile(again)).equals(await readFile(archive)));
});

test('a signature by another key, or a list changed after signing, is refused', async (world) => {
  await refused({ ...world, keys: [generateKeyPairSync('ed25519').publicKey] }, /not signed by/);
  await refused({ ...world, keys: [] }, /not signed by/);
  const tar = gunzipSync(await readFile(world.archive));
  const offset = tar.indexOf('"1.1.0"');
  tar.write('"9.1.0"', offset);
  await writeFile(world.archive, gzipSync(tar));
  await refused(world, /not signed by/);
});

test('a changed byte in a file is found before anything is installed', async (world) => {
  const tar = gunzipSync(await readFile(world.archive));
  tar[tar.lastIndexOf('{"version":"1.1.0"}') + 13]! ^= 1;
  await writeFile(world.archive, gzipSync(tar));
  await refused(world, /package\.json in this archive was damaged or changed/);
});

test('a truncated, empty or foreign archive is refused with a message', async (world) => {
  const whole = await readFile(world.archive);
  await truncate(world.archive, whole.length - 40);
  await refused(world, /damaged|cut short/);
  await writeFile(world.archive, '');
  await refused(world, /damaged/);
  await writeFile(world.archive, 'a letter');
  await refused(world, /damaged/);
});

test('a path that leads out of the folder is refused, even in a signed archive', async (world) => {
  const list = await listOf(world);
  await writeFile(join(world.scratch, 'outside.js'), 'x');
  for (const path of ['../outside.js', '/etc/passwd', 'a/../../b', 'a\\b']) {
    await handMade(world, { ...list, files: { [path]: Object.values(list.files)[1] } }, HEAD);
    await refused(world, /list of files in this archive is wrong/);
  }
  await handMade(world, list, [...HEAD, ...world.files.map((path) => `./${path}`), '../outside.js']);
  await rm(join(world.scratch, 'outside.js'));
  await refused(world, /not as its list says/);
  assert.not.ok(existsSync(join(world.scratch, 'outside.js')));
});

test('a symbolic link, or an unlisted, duplicate, oversized or missing file, is refused', async (world) => {
  const list = await listOf(world);
  const all = world.files.map((path) => `./${path}`);
  await symlink('/etc', join(world.folder, 'link'));
  await handMade(world, list, [...HEAD, './link']);
  await refused(world, /no plain file/);
  await writeFile(join(world.folder, 'more.js'), 'x');
  await handMade(world, list, [...HEAD, ...all, './more.js']);
  await refused(world, /not as its list says/);
  await handMade(world, list, [...HEAD, all[0]!, ...all]);
  await refused(world, /not as its list says/);
  await handMade(world, list, [...HEAD, ...all.slice(1)]);
  await refused(world, /missing/);
  await writeFile(join(world.folder, world.files[1]!), Buffer.alloc(10_000_000));
  await handMade(world, list, [...HEAD, ...all]);
  await refused(world, /not as its list says/);
});

test('of an archive whose signature is not verified yet, no more is read than the maximum size of the list', async (world) => {
  await writeFile(join(world.folder, 'RELEASE.json'), Buffer.alloc(9 * 1024 ** 2));
  await create({ file: world.archive, cwd: world.folder, gzip: true, portable: true }, HEAD.slice(0, 1));
  await refused(world, /damaged/);
});

test('a list of files beyond the size limit of a release is refused before unpacking', async (world) => {
  const list = await listOf(world);
  const huge = { size: 1024 ** 3, sha256: '0'.repeat(64) };
  await handMade(world, { ...list, files: { a: huge, b: huge } }, HEAD);
  await refused(world, /list of files in this archive is wrong/);
});

test('an archive in a newer format names the version needed in between', async (world) => {
  await handMade(world, { ...(await listOf(world)), format: 2 }, HEAD);
  await refused(world, /of a form that this version does not know/);
});

test('an invalid release key is named in the error', () => {
  assert.throws(() => readKeys('bm8='), /"bm8=" in RELEASE_KEYS is no public key/);
});

test.run();
