import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { BadConfig, readConfig } from './config.ts';

test('an empty environment gives a working configuration for this machine', () => {
  const config = readConfig({});
  assert.is(config.port, 3000);
  assert.is(config.host, '127.0.0.1');
  assert.is(config.baseUrl, 'http://localhost:3000');
  assert.is(config.appName, 'Almirah');
  assert.is(config.abuseLimits, true);
  assert.is(config.registration, 'open');
});

test('all invalid variables are reported together, so that one restart suffices to correct them', () => {
  try {
    readConfig({
      PORT: '99999',
      BASE_URL: 'vault',
      LOG_LEVEL: 'loud',
      TRUST_PROXY: 'yes',
      CONTACT_EMAIL: 'x',
    });
    assert.unreachable();
  } catch (error) {
    assert.instance(error, BadConfig);
    const { problems } = error as BadConfig;
    for (const name of ['PORT', 'BASE_URL', 'LOG_LEVEL', 'TRUST_PROXY', 'CONTACT_EMAIL']) {
      assert.ok(
        problems.some((problem) => problem.startsWith(`${name} should be`)),
        name,
      );
    }
  }
});

test('a value in quotation marks is refused by name, since a quoted DATA_DIR would be an empty vault beside the real one', () => {
  for (const [name, value] of [
    ['DATA_DIR', '"/srv/almirah"'],
    ['MASTER_KEY_FILE', "'/media/stick/almirah.key' "],
    ['SMTP_URL', '"smtp://user:hidden@mail.example.in"'],
    ['APP_NAME', '""'],
    ['RELEASE_KEYS', "'MCowBQYDK2VwAyEA'"],
  ] as const) {
    try {
      readConfig({ [name]: value, MAIL_FROM: 'vault@example.in' });
      assert.unreachable(name);
    } catch (error) {
      assert.equal((error as BadConfig).problems, [
        `${name} is in quotation marks, which would be part of its value. Write it without them.`,
      ]);
    }
  }
  assert.is(readConfig({ APP_NAME: '"Rao" and "Sons"' }).appName, '"Rao" and "Sons"');
});

test('registration is open or closed', () => {
  assert.is(readConfig({ REGISTRATION: 'closed' }).registration, 'closed');
  assert.throws(() => readConfig({ REGISTRATION: 'no' }), /REGISTRATION should be/);
});

test('rate limits can be switched off only on a loopback host; days and versions to keep have limits', () => {
  assert.throws(() => readConfig({ ABUSE_LIMITS: 'off', HOST: '0.0.0.0' }), /loopback/);
  assert.is(readConfig({ ABUSE_LIMITS: 'off' }).abuseLimits, false);
  assert.is(readConfig({}).trashDays, 30);
  assert.is(readConfig({ TRASH_DAYS: '0' }).trashDays, 0);
  for (const wrong of ['-1', 'ever', '3651', '1.5'])
    assert.throws(() => readConfig({ TRASH_DAYS: wrong }), /TRASH_DAYS should be a number of days/);
  assert.equal(readConfig({}).versions, { days: 30, most: 100 });
  assert.equal(readConfig({ VERSION_DAYS: '0', VERSIONS_KEPT: '0' }).versions, { days: 0, most: 0 });
  assert.throws(() => readConfig({ VERSIONS_KEPT: '1001' }), /VERSIONS_KEPT should be a number of versions/);
});

test('user and password in an invalid address are never repeated in the error, since errors end up in logs', () => {
  for (const [name, value] of [
    ['BACKUP_DIR', 's3://AKID:hid/den@bucket/x'],
    ['BACKUP_DIR', 'AKID:hidden@bucket/x'],
    ['BLOBS', 's3://AKID:hidden@bucket/x?endpoint=https://user:hidden@s3.example.in'],
    ['BLOBS', 's3://bucket/x?secret=hidden'],
    ['BASE_URL', 'https://user:hid@den@vault.example.in'],
    ['CLAMD_URL', 'tcp://user:hidden@clamd:3310'],
    ['RAZORPAY_API_URL', 'https://hidden@api.example.in'],
  ] as const)
    try {
      readConfig({ [name]: value });
      assert.unreachable();
    } catch (error) {
      assert.match((error as Error).message, name);
      assert.not.match((error as Error).message, /hid|den@/, name);
    }
});

test('an invalid master key is never repeated in the error, since errors end up in logs', () => {
  try {
    readConfig({ MASTER_KEY: 'topsecret', MASTER_KEY_FILE: '/x', PORT: 'no' });
    assert.unreachable();
  } catch (error) {
    assert.not.match((error as Error).message, /topsecret/);
  }
});

test('a mail server requires a sender address, and its URL never appears in an error', () => {
  assert.is(readConfig({}).mail.smtpUrl, null);
  const good = { SMTP_URL: 'smtps://vault:topsecret@mail.example.in', MAIL_FROM: 'vault@example.in' };
  assert.equal(readConfig(good).mail, { smtpUrl: good.SMTP_URL, from: 'vault@example.in' });
  for (const bad of [
    { ...good, MAIL_FROM: '' },
    { ...good, MAIL_FROM: 'Vault <vault@example.in>' },
    { ...good, SMTP_URL: 'vault:topsecret@mail' },
  ]) {
    try {
      readConfig(bad);
      assert.unreachable();
    } catch (error) {
      assert.match((error as Error).message, /MAIL_FROM|SMTP_URL/);
      assert.not.match((error as Error).message, /topsecret/);
    }
  }
});

test('a password with signs that end an address is refused with how to write them', () => {
  const env = (password: string) => ({
    SMTP_URL: `smtp://vault:${password}@mail.example.in:587`,
    MAIL_FROM: 'vault@example.in',
  });
  for (const sign of ['#', '/', '?'])
    assert.throws(() => readConfig(env(`top${sign}secret`)), /written as %23, %2F and %3F/, sign);
  for (const sign of ['%23', '%2F', '%3F', '@', '%'])
    assert.ok(readConfig(env(`top${sign}secret`)).mail.smtpUrl, sign);
});

test('a base URL is reduced to its origin', () => {
  assert.throws(() => readConfig({ BASE_URL: 'https://*.example.in' }), /BASE_URL should be an address/);
  for (const address of ['https://[::1]:8443', 'https://192.168.1.10', 'https://vault_1.lan'])
    assert.is(readConfig({ BASE_URL: address }).baseUrl, address);
  assert.is(readConfig({ BASE_URL: 'https://vault.example.in/' }).baseUrl, 'https://vault.example.in');
  assert.throws(() => readConfig({ BASE_URL: 'https://vault.example.in/sub' }), /without a path/);
});

test('keys of the invoice portal must be public RSA keys, in a file or a folder; a private key is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keys-'));
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(join(folder, 'a.pem'), publicKey.export({ type: 'spki', format: 'pem' }));
  await writeFile(join(folder, 'b.der'), publicKey.export({ type: 'spki', format: 'der' }));
  await writeFile(join(folder, 'note.txt'), 'Not a key');
  const names = (path: string) => readConfig({ EINVOICE_KEYS: path }).portalKeys.map(({ name }) => name);
  assert.equal(names(folder), ['a', 'b']);
  assert.equal(names(join(folder, 'a.pem')), ['a']);
  const wrong = (path: string) => {
    assert.throws(() => readConfig({ EINVOICE_KEYS: path }), /EINVOICE_KEYS should be/);
  };
  wrong(join(folder, 'note.txt'));
  wrong(join(folder, 'nowhere'));
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'pem' });
  await writeFile(join(folder, 'secret.pem'), pkcs8);
  wrong(folder);
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
  await writeFile(join(folder, 'secret.pem'), elliptic.export({ type: 'spki', format: 'pem' }));
  wrong(folder);
  await rm(folder, { recursive: true });
});

test.run();
