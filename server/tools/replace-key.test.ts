import { randomBytes } from 'node:crypto';
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Secret } from 'otpauth';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { replaceMasterKey } from '#storage/rotate.ts';
import type { Actor } from '../actor.ts';
import { codeAt } from '../auth/totp.ts';
import { openDiskPlace } from '../backups/repository/disk-place.ts';
import { readSnapshots } from '../backups/repository/manifest.ts';
import { readConfig } from '../config/config.ts';
import { openVaultDatabase } from '../testing/vault-database.ts';
import type { Message } from '../mail/transport.ts';
import { SEALED } from '../db/column-encryption.ts';
import { compose } from '../services.ts';
import { createBuild, PASSWORD } from '../testing/build.ts';
import { openDataDir } from '../datadir/datadir.ts';
import { findPageKey } from '../datadir/page-key.ts';
import { dropSnapshot, restoreSnapshot, takeSnapshot } from '../datadir/update-snapshot.ts';
import { recordsOf } from '../updates/record.ts';
import { DATABASE_FILE } from '../../knexfile.ts';
import { backups } from './backups.ts';
import { key } from './key.ts';
import { migrate } from './migrate.ts';
import { replaceKey } from './replace-key.ts';
import { reseal } from './reseal.ts';

interface Office {
  dataDir: string;
  env: Record<string, string>;
  email: string;
  secret: Buffer;
  actor: Actor;
  blobId: string;
}

const log = pino({ level: 'silent' });
const origin = { ip: '192.0.2.1', userAgent: 'test' };

/** Does `work` while the services of the office run. */
async function within<T>(
  env: Office['env'],
  work: (
    open: Awaited<ReturnType<typeof openDataDir>> & {
      services: ReturnType<typeof compose>;
      arrived: Message[];
    },
  ) => Promise<T>,
): Promise<T> {
  const vault = await openDataDir(readConfig(env), log);
  const arrived: Message[] = [];
  const transport = {
    sends: true,
    means: '',
    deliver: async (email: Message) => void arrived.push(email),
    close: () => {},
  };
  const services = compose({
    ...vault,
    log,
    clock: () => new Date(),
    config: { abuseLimits: false },
    transport,
    backups: { ...readConfig(env), settings: null },
  });
  try {
    return await work({ ...vault, services, arrived });
  } finally {
    await services.stop();
    await vault.close();
  }
}

async function run({ env }: Office, options = {}): Promise<string> {
  const said: string[] = [];
  assert.ok(await replaceKey.run({ args: [], options, env, say: (line) => said.push(line) }));
  return said.join('\n');
}
const refusal = (office: Office, options = {}) =>
  run(office, options).then(
    () => Promise.reject(new Error('It was done.')),
    (error: Error) => error.message,
  );

/** Asserts that everything sealed can still be opened. */
async function works({ env, email, secret, blobId }: Office): Promise<void> {
  await within(env, async ({ services, blobs, arrived }) => {
    assert.is(await text(await blobs.get(blobId)), 'content');
    const entry = await services.auth.signIn({ email, password: PASSWORD }, origin);
    assert.ok('two_step' in entry);
    // The current code was used to switch two-step sign-in on, so this is the next one.
    const code = codeAt(secret, new Date(Date.now() + 30_000));
    await services.auth.signInWithCode({ challenge: entry.two_step.challenge, code }, origin);
    assert.ok((await services.mail.deliver()) > 0);
    assert.is(arrived[0]!.kind, 'auth.welcome');
  });
}

const test = suite<Office>('replacing the master key');
test.before.each(async (office) => {
  office.dataDir = join(await mkdtemp(join(tmpdir(), 'almirah-key-')), 'data');
  office.env = { DATA_DIR: office.dataDir };
  await within(office.env, async ({ services, blobs, db }) => {
    const build = createBuild({ services, blobs, db });
    const { actor, email } = await build.account();
    const { id } = await build.file(actor);
    const { secret } = await services.auth.twoStep.setUp(actor, PASSWORD);
    office.secret = Buffer.from(Secret.fromBase32(secret.replaceAll(' ', '')).bytes);
    await services.auth.twoStep.confirm(actor, codeAt(office.secret, new Date()));
    const { blob_id } = await db('items').where({ id }).first('blob_id');
    Object.assign(office, { actor, email, blobId: blob_id });
  });
});
test.after.each(({ dataDir }) => rm(join(dataDir, '..'), { recursive: true }));

test('files, queued e-mails and two-step secrets open with the new master key, and the old one is refused', async (office) => {
  const old = await readFile(join(office.dataDir, 'master.key'), 'utf8');
  assert.match(await run(office), /opens 1 files.*Everybody has to sign in again/);
  await within(office.env, async ({ db }) =>
    assert.equal(await db('sessions').pluck('id'), [], 'no cookie opens them any more'),
  );
  await works(office);
  await openDataDir(readConfig({ ...office.env, MASTER_KEY: old.trim() }), log).then(
    () => assert.unreachable(),
    (error: Error) => assert.match(error.message, /not the one/),
  );
});

test('a replacement that succeeds prints no failures of the keys that it tried', async (office) => {
  const { log: print } = console;
  const printed: unknown[] = [];
  console.log = (...said) => void printed.push(said);
  await run(office).finally(() => (console.log = print));
  assert.equal(printed, []);
});

test('a sealed value that cannot be opened is named, and the master key stays unchanged', async (office) => {
  const state = () =>
    Promise.all(['master.key', 'master.check'].map((name) => readFile(join(office.dataDir, name))));
  const before = await state();
  const whole = await within(office.env, async ({ db }) => (await db('jobs').orderBy('id').first()).sealed);
  await within(office.env, ({ db }) =>
    db('jobs')
      .where({ sealed: whole })
      .update({ sealed: randomBytes(60) }),
  );
  assert.match(await refusal(office), /Row 1 of jobs opens with no key we have/);
  assert.equal(await state(), before);
  await within(office.env, ({ db }) => db('jobs').where({ id: 1 }).update({ sealed: whole }));
  await works(office);
});

test('after an interruption the server does not start until the command is run again', async (office) => {
  const cut = replaceMasterKey(office, undefined, async (from, to, dry) => {
    if (dry) return;
    const db = await openVaultDatabase(office.dataDir);
    await reseal(db, from.serverSecret, to.serverSecret).finally(() => db.destroy());
    throw new Error('power cut');
  });
  await cut.catch(() => {});
  await openDataDir(readConfig(office.env), log).then(
    () => assert.unreachable(),
    (error: Error) => assert.match(error.message, /did not finish. Run "npm run admin -- replace-key" again/),
  );
  // Commands that would find an older sheet or the database sealed otherwise say the same.
  const said = { env: office.env, args: ['wrap'], say: () => {} };
  const sheet = join(office.dataDir, '../words.txt');
  await writeFile(sheet, 'word '.repeat(24));
  for (const command of [
    () => migrate.run({ ...said, options: {} }),
    () => key.run({ ...said, options: { with: 'passphrase', sheet } }),
  ])
    await command().then(
      () => assert.unreachable(),
      (error: Error) => assert.match(error.message, /replace-key" again/),
    );
  await run(office);
  await works(office);
});

test('a master key from the settings is replaced by a given one, and only while the server is stopped', async (office) => {
  assert.match(await refusal(office, { to: 'x' }), /Leave --to out/);
  await within(office.env, async () => {
    assert.match(await refusal(office), /Another Almirah is running/);
  });
  const to = join(office.dataDir, '../new.key');
  const [old, fresh] = [
    await readFile(join(office.dataDir, 'master.key'), 'utf8'),
    randomBytes(32).toString('hex'),
  ];
  office.env.MASTER_KEY = old.trim();
  assert.match(await refusal(office, { to }), /--to \S+new\.key cannot be read: there is no such file/);
  await writeFile(to, `${fresh}\n`);
  await run(office, { to });
  office.env.MASTER_KEY = fresh;
  await works(office);
});

/** Takes the copy of the database that an update takes before it tries the new version. */
const snapshotIn = async ({ dataDir, env }: Office) =>
  takeSnapshot(dataDir, await findPageKey(readConfig(env)));
const CUT = { from: '1.4.0', to: '1.5.0', began_at: '2026-11-23T00:00:00.000Z', ended_at: null, why: null };

test('the last nightly backup that the saved recovery sheet opens is kept until the sheet of the new key is saved', async (office) => {
  const place = join(office.dataDir, '../place');
  await mkdir(place);
  const env = { ...office.env, BACKUP_DIR: place };
  const keys = async () => {
    await backups.run({ args: ['run'], options: {}, env, say: () => {} });
    const { snapshots } = await readSnapshots(await openDiskPlace(place));
    return new Set(snapshots.map(({ manifest }) => manifest.key)).size;
  };
  assert.is(await keys(), 1);
  await run(office);
  assert.is(await keys(), 2, 'although the rule keeps one of a day');
  assert.is(await keys(), 2);
  await within(office.env, ({ services }) =>
    services.backups.saveSheet(office.actor, { current_password: PASSWORD }),
  );
  assert.is(await keys(), 1);
});

test('the key is not replaced while an update is cut short, whose end puts back a copy that the new key would not open', async (office) => {
  await snapshotIn(office);
  await recordsOf(office.dataDir).write({ ...CUT, step: 'trying', database: true });
  const key = () => readFile(join(office.dataDir, 'master.key'), 'utf8');
  const before = await key();
  assert.match(
    await refusal(office),
    /from 1\.4\.0 to 1\.5\.0 was cut short.*update finish\. Nothing was changed/,
  );
  assert.is(await key(), before);
  await restoreSnapshot(office.dataDir, { keep: false });
  await recordsOf(office.dataDir).write({ ...CUT, step: 'back', database: true });
  assert.match(await run(office), /opens 1 files/);
  assert.equal(
    await readdir(join(office.dataDir, 'update')),
    ['record.json'],
    'no copy is left that has the old key',
  );
  await works(office);
});

test('the database that a reverted update has left opens with the new key, and so does all that is sealed in it', async (office) => {
  await snapshotIn(office);
  const file = join(office.dataDir, DATABASE_FILE);
  await within(office.env, async ({ db }) => {
    await db('firms').update({ name: 'Rao and Sons' });
    await copyFile(file, join(office.dataDir, '../killed'));
    await copyFile(`${file}-wal`, join(office.dataDir, '../killed-wal'));
  });
  // A new version that is killed leaves its last changes in the write-ahead log.
  await copyFile(join(office.dataDir, '../killed'), file);
  await copyFile(join(office.dataDir, '../killed-wal'), `${file}-wal`);
  await restoreSnapshot(office.dataDir, { keep: true });
  await dropSnapshot(office.dataDir);
  assert.ok((await stat(join(office.dataDir, 'update/after.sqlite-wal'))).size > 0);
  await run(office);
  // As README.md says, in the place of the database of a copy of the folder.
  const copy = join(office.dataDir, '../copy');
  await cp(office.dataDir, copy, { recursive: true });
  for (const end of ['-wal', '-shm']) await rm(join(copy, `${DATABASE_FILE}${end}`), { force: true });
  await copyFile(join(copy, 'update/after.sqlite'), join(copy, DATABASE_FILE));
  const env = { DATA_DIR: copy };
  await within(env, async ({ db }) => assert.ok(await db('firms').where({ name: 'Rao and Sons' }).first()));
  await works({ ...office, dataDir: copy, env });
  await works(office);
});

test('every column with sealed bytes is registered, so that replacing the key misses none', async (office) => {
  // Hashes of the history and of the text index are not sealed, but their keys are. Contents of documents are sealed
  // with a key derived from that of the index. Of a passkey only the public key is stored.
  await within(office.env, async ({ db }) => {
    const columns: { place: string }[] = await db.raw(
      `SELECT m.name || '.' || c.name AS place FROM sqlite_master m, pragma_table_info(m.name) c
       WHERE m.type = 'table' AND lower(c.type) = 'blob' AND m.name NOT LIKE 'item_search%'
         AND m.name NOT LIKE 'document_text_search%'
         AND m.name NOT IN ('document_fields', 'field_answers', 'passkeys')
         AND NOT (m.name LIKE 'audit_%' AND c.name IN ('content', 'link', 'mac')) ORDER BY place`,
    );
    assert.equal(
      columns.map(({ place }) => place),
      Object.values(SEALED)
        .map(({ table, column }) => `${table}.${column}`)
        .toSorted(),
    );
  });
});

test.run();
