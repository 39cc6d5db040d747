import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { freePort } from '../testing/free-port.ts';
import { smallDisk } from '../testing/small-disk.ts';
import { readConfig } from './config.ts';
import { closedDescriptor, missingBackupFolder, missingPlaces, warningsOf } from './warnings.ts';

const warned = (env: Record<string, string>) => warningsOf(readConfig(env), env).join('\n');

test('plain http on a host that other machines can reach prevents the start, or is warned about where it is allowed', () => {
  assert.throws(
    () => readConfig({ HOST: '0.0.0.0' }),
    /HTTPS=auto or local.*ALLOW_PLAIN_HTTP=on starts anyway/,
  );
  assert.match(warned({ HOST: '0.0.0.0', ALLOW_PLAIN_HTTP: 'on' }), /unencrypted.*HTTPS/s);
  assert.is(warned({}), '');
  assert.is(warned({ HOST: '0.0.0.0', BASE_URL: 'https://vault.example.in' }), '');
});

test('TRUST_PROXY=on, the setting of earlier versions, still trusts this machine, with a warning to name the proxy', () => {
  assert.equal(readConfig({ TRUST_PROXY: 'on' }).trustProxy, ['127.0.0.0/8', '::1/128']);
  assert.match(warned({ TRUST_PROXY: 'on' }), /TRUST_PROXY=127\.0\.0\.1/);
  assert.is(warned({ TRUST_PROXY: '10.0.0.0/8' }), '');
  assert.equal(readConfig({ TRUST_PROXY: 'off' }).trustProxy, []);
  assert.throws(
    () => readConfig({ TRUST_PROXY: '0.0.0.0/0' }),
    /TRUST_PROXY should be "off", or the addresses/,
  );
});

test('a BACKUP_DIR that is not there is warned about at once, not a day later when no backup was made', async () => {
  const warning = (BACKUP_DIR: string) =>
    missingBackupFolder(readConfig({ BACKUP_DIR, DATA_DIR: '/nowhere/data' }));
  assert.match((await warning('/nowhere/almirah')) ?? '', /not there.*Connect the disk or mount the share/);
  assert.match((await warning(import.meta.filename)) ?? '', /not a folder/);
  assert.is(await warning(tmpdir()), null);
  assert.is(await missingBackupFolder(readConfig({})), null);
});

test('a BACKUP_DIR that cannot be written is warned about: the service may write only where install has let it', async () => {
  const disk = smallDisk(1);
  if (!disk) return;
  try {
    spawnSync('mount', ['-o', 'remount,ro', disk.path]);
    const warning = await missingBackupFolder(readConfig({ BACKUP_DIR: disk.path }));
    assert.match(warning ?? '', /cannot be written \(EROFS\).* run it again after a change of BACKUP_DIR/);
  } finally {
    await disk.remove();
  }
});

test('a time zone that does not exist is warned about, because it is without effect', () => {
  assert.match(warned({ TZ: 'Asia/Calcuta' }), /TZ should be a time zone .* is "Asia\/Calcuta"/);
  for (const TZ of [
    'Asia/Kolkata',
    ':Asia/Kolkata',
    ':/usr/share/zoneinfo/Asia/Kolkata',
    ':/etc/localtime',
    'UTC',
    '',
  ])
    assert.is(warned({ TZ }), '', TZ);
});

test('a file descriptor for the passphrase that is not open is warned about at every start, not only when the key is sealed', () => {
  const warning = (PASSPHRASE_FD: string) => closedDescriptor(readConfig({ PASSPHRASE_FD })) ?? '';
  assert.match(warning('1023'), /PASSPHRASE_FD is 1023, but no file is open there/);
  assert.is(warning('0'), '');
  assert.is(closedDescriptor(readConfig({})), null);
});

test('a folder of the uploader and a virus scanner that are not there are warned about, because nothing else says so', async () => {
  const scanner = createServer((socket) => socket.once('data', () => socket.end('PONG\0')));
  const stranger = createServer((socket) => socket.end('220 mail ESMTP'));
  const portOf = async (server: Server) => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return (server.address() as AddressInfo).port;
  };
  const missing = async (env: Record<string, string>) =>
    (await missingPlaces(readConfig(env), env)).join('\n');
  const url = (port: number) => ({ CLAMD_URL: `tcp://127.0.0.1:${port}` });
  try {
    assert.is(await missing({}), '', 'the usual folder may be missing: no uploader was built');
    assert.is(await missing({ DESKTOP_DIR: tmpdir(), ...url(await portOf(scanner)) }), '');
    assert.match(
      await missing({ DESKTOP_DIR: '/nowhere' }),
      /DESKTOP_DIR names \/nowhere, which is no folder/,
    );
    assert.match(await missing(url(await portOf(stranger))), /something else than clamd answers/);
    const free = await freePort();
    assert.match(
      await missing(url(free)),
      `CLAMD_URL is tcp://127.0.0.1:${free}, where no ClamAV answers (ECONNREFUSED)`,
    );
  } finally {
    scanner.close();
    stranger.close();
  }
});

test.run();
