import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { DATABASE_FILE } from '../../knexfile.ts';
import { readConfig } from '../config/config.ts';
import { lockDataFolder } from '../datadir/lock.ts';
import { markOnPostgres } from '../datadir/postgres/mark.ts';
import { openDataDir } from '../datadir/datadir.ts';
import { createColumnSealer } from '../db/column-encryption.ts';
import { compose } from '../services.ts';
import { createBuild } from '../testing/build.ts';
import { openAuthority } from '../tls/authority.ts';
import { TLS_PURPOSE, createKeyStore } from '../tls/key-store.ts';
import { plainHttp } from '../tls/service.ts';
import { findings, memoryFinding, unreadSettings } from './doctor.ts';
import { smallDisk } from '../testing/small-disk.ts';
import { clockFinding, faultHere } from './doctor-clock.ts';
import { files } from './doctor-files.ts';

test('a clock that is not synchronised is reported with the command that corrects it on this system', () => {
  const told = (synchronized: boolean, can: boolean) => clockFinding('12:00', { synchronized, can });
  assert.match(told(false, true).text, /set-ntp true/);
  assert.match(told(false, false).text, /apt-get install systemd-timesyncd/);
  assert.is(told(false, false).well, false);
  assert.is(told(true, false).well, true);
  assert.match(clockFinding('12:00', null).text, /with your phone/);
});

test('a clock two hours behind is detected by the newer time of the last change in the data folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'almirah-doctor-clock-'));
  const config = readConfig({ DATA_DIR: folder });
  const behind = () => new Date(Date.now() - 2 * 60 * 60_000);
  try {
    assert.is(await faultHere(config, behind), null, 'before the first start nothing was written');
    await writeFile(join(folder, DATABASE_FILE), '');
    assert.match(
      (await faultHere(config, behind)) ?? '',
      /something was saved here on .*: it is 2 hours behind/,
    );
    assert.is(await faultHere(config, () => new Date()), null);
    const { well, text } = clockFinding('12:00', { synchronized: true, can: true }, 'It is behind.');
    assert.equal([well, text], [false, 'It is behind. sudo timedatectl set-ntp true']);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('too little memory and too few cores are reported', () => {
  const GB = 1024 ** 3;
  assert.match(memoryFinding(GB, 2, 'on').text, /^1\.0 GB, 2 cores: this machine is too small/);
  assert.match(memoryFinding(4 * GB, 1, 'on').text, /4\.0 GB, 1 core: people wait/);
  assert.match(memoryFinding(2 * GB, 2, 'on').text, /READING_SCANS=light/);
  assert.is(memoryFinding(2 * GB, 2, 'light').well, true);
});

test('a nearly full backup disk is reported', async () => {
  const disk = smallDisk(2);
  if (!disk) return;
  const folder = await mkdtemp(join(tmpdir(), 'almirah-doctor-full-'));
  const env = { DATA_DIR: folder, BACKUP_DIR: disk.path };
  const told = async () => (await findings(readConfig(env), env)).find(({ about }) => about === 'Backups')!;
  try {
    assert.is((await told()).well, true);
    await writeFile(join(disk.path, 'others'), Buffer.alloc(2 * 1024 * 1024 - 4096));
    assert.match((await told()).text, /0\.0 GB left, less than a twentieth/);
  } finally {
    await disk.remove();
    await rm(folder, { recursive: true });
  }
});

test('what keeps the server from starting is reported: lost files, an absent key, a replacement of it that was cut short', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'almirah-doctor-vault-'));
  const env = { DATA_DIR: join(folder, 'data'), PORT: '1' };
  const vault = await openDataDir(readConfig(env), pino({ level: 'silent' }));
  const services = compose({
    ...vault,
    log: pino({ level: 'silent' }),
    clock: () => new Date(),
    config: { abuseLimits: false },
  });
  const build = createBuild({ ...vault, services });
  const actor = await build.actor();
  const [first] = [await build.file(actor), await build.file(actor)];
  const { blob_id: blob } = await vault.db('items').where({ id: first.id }).first('blob_id');
  await services.stop();
  await vault.close();
  const about = async (what: string, more: Record<string, string> = {}) =>
    (await findings(readConfig({ ...env, ...more }), env)).find((one) => one.about === what)!;
  const blobs = join(env.DATA_DIR, 'blobs');
  try {
    assert.match((await about('Files')).text, /2 of them, all there/);
    assert.match(
      (await files(readConfig(env), 1)).text,
      /the first 1 there/,
      'and not all, if there are more',
    );
    await rm(join(blobs, blob.slice(0, 2), blob.slice(2)));
    assert.match((await about('Files')).text, /1 of 2 are missing.*"verify" names them/);
    await rename(blobs, `${blobs}-away`);
    assert.match((await about('Files')).text, /none of the 2 files/);
    const key = join(env.DATA_DIR, 'master.key');
    const stick = join(folder, 'stick.key');
    const absent = await about('Master key', { MASTER_KEY_FILE: stick });
    assert.equal([absent.well, /stick\.key, which is not there/.test(absent.text)], [false, true]);
    const check = join(env.DATA_DIR, 'master.check');
    await writeFile(check, (await readFile(check, 'utf8')).repeat(2));
    assert.match((await about('Master key')).text, /did not finish. Run "npm run admin -- replace-key"/);
    await rm(key);
    await mkdir(key);
    assert.match((await about('Master key')).text, /master\.key is a folder/);
    assert.ok((await about('Clock')).text, 'the rest is said all the same');
    await chmod(env.DATA_DIR, 0o500);
    assert.match((await about('Permissions')).text, /cannot be written, so the server does not start/);
  } finally {
    await chmod(env.DATA_DIR, 0o700);
    await rm(folder, { recursive: true });
  }
});

test('a misspelled setting of the service is reported, because it is without effect', () => {
  const right = {
    DATA_DIR: '/srv/a',
    REGISTRATION: 'closed',
    RELEASE_KEYS: 'x',
    TZ: 'UTC',
    PGPASSWORD: 'for DATABASE_URL',
    LOG_FILE: '/srv/log',
  };
  assert.equal(unreadSettings(right), []);
  const [found, ...more] = unreadSettings({ ...right, REGISTRATON: 'closed' });
  assert.match(found?.text ?? '', /^REGISTRATON in .* is not read: it is misspelled/);
  assert.equal([found?.well, more], [false, []]);
});

test('another program on the port of plain http is reported: by it the authority finds out whose the name is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'almirah-doctor-http-'));
  const settings = { appName: 'Test', name: 'localhost', now: new Date() };
  const seal = createColumnSealer(randomBytes(32), TLS_PURPOSE);
  const { issue } = await openAuthority(createKeyStore(folder, seal), settings);
  const ours = createTlsServer(await issue(['localhost'], new Date()), (_, res) =>
    res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'),
  );
  const baseUrl = 'https://vault.rao-associates.in';
  const redirect = createServer(plainHttp({ baseUrl, port: () => 443, permanent: true }));
  const stranger = createServer((_, res) => void res.end('It works!'));
  const portOf = async (server: Server) => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return String((server.address() as AddressInfo).port);
  };
  const env = { DATA_DIR: folder, HTTPS: 'auto', BASE_URL: baseUrl, PORT: await portOf(ours) };
  const told = async (server: Server) => {
    const all = { ...env, HTTP_PORT: await portOf(server) };
    return (await findings(readConfig(all), all)).find(({ about }) => about === 'Ports')!;
  };
  try {
    assert.match((await told(stranger)).text, /by another program, so the authority gives no certificate/);
    assert.is((await told(redirect)).well, true);
  } finally {
    for (const server of [ours, redirect, stranger]) server.close();
    await rm(folder, { recursive: true });
  }
});

test('problems of the machine are reported with what to do', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'almirah-doctor-'));
  const other = await mkdtemp(join(tmpdir(), 'almirah-doctor-other-'));
  const stranger = createServer((_, res) => void res.end('a printer')).listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  const { port } = stranger.address() as { port: number };
  const env = { DATA_DIR: folder, PORT: '1', SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@rao.in' };
  const about = async (what: string, more: Record<string, string> = {}) =>
    (await findings(readConfig({ ...env, ...more }), env)).find((one) => one.about === what);
  try {
    assert.equal((await about('Master key'))?.text, 'is made at the first start');
    await writeFile(join(folder, 'master.check'), 'x');
    assert.match((await about('Master key'))?.text ?? '', /master key is not there.*recovery sheet/);
    await writeFile(join(folder, 'master.key'), 'x', { mode: 0o600 });
    assert.is((await about('Master key'))?.well, false);
    assert.match((await about('Master key'))?.text ?? '', /whoever takes the disk.*key wrap/);
    const onPostgres = await about('Master key', { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' });
    assert.match(onPostgres?.text ?? '', /set MASTER_KEY_FILE/, 'key wrap works on a database file only');
    assert.match(
      (await about('Master key', { MASTER_KEY: 'y' }))?.text ?? '',
      /as well: whoever takes the disk has it/,
    );
    await markOnPostgres(folder);
    assert.match((await about('Files'))?.text ?? '', /is in PostgreSQL: set DATABASE_URL to it/);
    assert.match((await about('Processor'))?.text ?? '', /instructions for AES/);
    assert.is((await about('Permissions'))?.well, true);
    await chmod(folder, 0o755);
    assert.match((await about('Permissions'))?.text ?? '', /chmod 700/);
    assert.match((await about('E-mail'))?.text ?? '', /127\.0\.0\.1:1: nothing takes e-mails/);
    assert.match((await about('Ports'))?.text ?? '', /1 is free; the server does not run/);
    const release = await lockDataFolder(folder);
    assert.match((await about('Ports'))?.text ?? '', /1 is free, but a server works on .* at another port/);
    await release();
    assert.is((await about('Ports'))?.well, true);
    assert.match((await about('Ports', { PORT: String(port) }))?.text ?? '', /answered by another program/);
    assert.match((await about('Backups'))?.text ?? '', /none are made: set BACKUP_DIR/);
    assert.match((await about('Backups', { BACKUP_DIR: '/nowhere' }))?.text ?? '', /is not there\. Connect/);
    assert.match((await about('Backups', { BACKUP_DIR: other }))?.text ?? '', /on the same disk/);
    const own = { BASE_URL: 'https://localhost', TLS_CERT: '/nowhere/c.pem', TLS_KEY: '/nowhere/k.pem' };
    assert.match(
      (await about('Certificate', own))?.text ?? '',
      /TLS_CERT and TLS_KEY cannot be used.*is not there/,
    );
    assert.match(
      (await about('Readers'))?.text ?? '',
      /^(?:files are read|processes that read files|only Node)/,
    );
    const elsewhere = await about('Name', { BASE_URL: 'http://nobody.invalid' });
    assert.is(elsewhere?.well, false);
    assert.match(elsewhere?.text ?? '', /leads nowhere/);
  } finally {
    stranger.close();
    await rm(folder, { recursive: true });
    await rm(other, { recursive: true });
  }
});

test.run();
