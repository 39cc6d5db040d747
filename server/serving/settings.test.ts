import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BadConfig } from '../config/config.ts';
import { startServer } from '../testing/server-process.ts';
import { settingsAtStart } from './settings.ts';

const test = suite<{ folder: string }>('settings at start');
test.before.each(async (world) => {
  world.folder = await mkdtemp(join(tmpdir(), 'almirah-settings-'));
});
test.after.each(({ folder }) => rm(folder, { recursive: true }));

const problemsOf = (env: Record<string, string>): Promise<string[]> =>
  settingsAtStart(env).then(
    () => [],
    (error: unknown) => {
      assert.instance(error, BadConfig);
      return (error as BadConfig).problems;
    },
  );

test('a bad key and a bad data folder are reported together with every other bad setting, so that one restart suffices', async ({
  folder,
}) => {
  const link = join(folder, 'data');
  await symlink(join(folder, 'nowhere'), link);
  const problems = await problemsOf({ PORT: '99999', MASTER_KEY: 'topsecret', DATA_DIR: link });
  assert.is(problems.length, 3);
  assert.match(problems[0]!, /^PORT should be/);
  assert.match(problems[1]!, /^DATA_DIR: .*is a link to one that is not there/);
  assert.match(problems[2]!, /^MASTER_KEY does not hold a master key: .*64 hex digits/);
  assert.not.match(problems.join(), /topsecret/);
});

test('a key file that is missing, unreadable or holds no key is reported with its name, and never with its contents', async ({
  folder,
}) => {
  const file = join(folder, 'key');
  await writeFile(file, 'topsecret');
  for (const [MASTER_KEY_FILE, expected] of [
    [file, /^MASTER_KEY_FILE: .* does not hold a master key/],
    [join(folder, 'none'), /^MASTER_KEY_FILE names .* which is not there/],
    [folder, /^MASTER_KEY_FILE: .* is a folder\. Give a file/],
  ] as const) {
    const problems = await problemsOf({ DATA_DIR: folder, MASTER_KEY_FILE, LOG_LEVEL: 'loud' });
    assert.is(problems.length, 2);
    assert.match(problems[1]!, expected);
    assert.not.match(problems.join(), /topsecret/);
  }
  await writeFile(file, 'ab'.repeat(32));
  assert.equal(await problemsOf({ DATA_DIR: folder, MASTER_KEY_FILE: file }), []);
});

test('a log, release keys and a certificate that cannot be used are reported, since a server would run without them', async ({
  folder,
}) => {
  const problems = await problemsOf({
    DATA_DIR: join(folder, 'data'),
    HOST: 'x y',
    UNLOCK_PORT: '3000',
    LOG_FILE: folder,
    RELEASE_KEYS: 'foo',
    BASE_URL: 'https://vault.test',
    PORT: '3000',
    TLS_CERT: join(folder, 'none.pem'),
    TLS_KEY: folder,
  });
  const expected = [
    /^HOST should be an address of this machine/,
    /^UNLOCK_PORT is 3000, and so is PORT/,
    /^LOG_FILE names .* which is a folder/,
    /"foo" in RELEASE_KEYS is no public key/,
    /^TLS_CERT names .*none\.pem, which is not there/,
    /^TLS_KEY names .*, which is a folder\. Give the PEM file of your key/,
  ];
  for (const [index, one] of expected.entries()) assert.match(problems[index] ?? '', one);
  assert.is(problems.length, expected.length);
});

test('a LOG_FILE whose folder cannot be made is reported, since the server would run without a log', async ({
  folder,
}) => {
  const problems = await problemsOf({ DATA_DIR: folder, LOG_FILE: '/proc/almirah/almirah.log' });
  assert.match(problems.join(), /^LOG_FILE names .*almirah\.log, which cannot be written \(E/);
  const LOG_FILE = join(folder, 'log/of/almirah.log');
  assert.equal(await problemsOf({ DATA_DIR: folder, LOG_FILE }), [], 'one that can be made is');
});

test('a HOST that is no address of this machine is named when the server cannot listen there', async ({
  folder,
}) => {
  const server = await startServer({
    DATA_DIR: folder,
    HOST: '192.0.2.77',
    ALLOW_PLAIN_HTTP: 'on',
    ABUSE_LIMITS: 'on',
  });
  assert.match(await server.refusal(), /HOST is 192\.0\.2\.77, which is no address of this machine/);
});

test('a server with bad settings names all of them and ends', async ({ folder }) => {
  const server = await startServer({ DATA_DIR: folder, MASTER_KEY: 'topsecret', TRASH_DAYS: 'ever' });
  const said = await server.refusal();
  assert.match(
    said,
    /Almirah did not start\. Correct these settings:\n {2}TRASH_DAYS .*\n {2}MASTER_KEY does not hold/,
  );
  assert.not.match(said, /topsecret/);
});

test.run();
