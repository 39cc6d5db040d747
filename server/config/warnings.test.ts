import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { smallDisk } from '../testing/small-disk.ts';
import { readConfig } from './config.ts';
import { missingBackupFolder, warningsOf } from './warnings.ts';

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

test.run();
