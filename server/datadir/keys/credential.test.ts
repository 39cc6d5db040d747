import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { keyPath, parseSecret, readMasterSecret } from '#storage/keys.ts';
import { DATABASE_FILE } from '../../../knexfile.ts';
import { readConfig } from '../../config/config.ts';
import { migratedFile } from '../../testing/template.ts';
import { until } from '../../testing/until.ts';
import { openDataDir } from '../datadir.ts';
import { keySourceOf } from '../settings.ts';
import { credentialsHere } from './credential.ts';
import { credentialForm } from './forms.ts';
import { moveKey } from './move.ts';
import { rotateKey } from './rotate.ts';
import { sealedPath } from './sealed-file.ts';
import { unlocked } from './unlock.ts';
import { whereKeyLies } from './whereabouts.ts';

const log = pino({ level: 'silent' });
const here = process.getuid?.() === 0 && (await credentialsHere()).host;
const swtpm =
  here && existsSync('/usr/bin/swtpm') && existsSync('/usr/lib/x86_64-linux-gnu/libtss2-tcti-swtpm.so.0');
if (!here) process.stdout.write('SKIPPED: sealing by systemd takes root and systemd-creds\n');
else if (!swtpm) process.stdout.write('SKIPPED: sealing by a TPM takes swtpm and libtss2-tcti-swtpm0\n');

async function folder(): Promise<{ dataDir: string; secret: Buffer }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'almirah-credential-'));
  await copyFile(await migratedFile(), join(dataDir, DATABASE_FILE));
  await (await openDataDir(readConfig({ DATA_DIR: dataDir }), log)).close();
  return { dataDir, secret: parseSecret(await readFile(keyPath(dataDir)), 'master.key') };
}
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => Promise.reject(new Error('It was done.')),
    (error: Error) => error.message,
  );

if (here)
  test('a key sealed by systemd can be opened by the service and by root, and is replaced in the same form', async () => {
    const { dataDir, secret } = await folder();
    const config = readConfig({ DATA_DIR: dataDir });
    try {
      await moveKey(dataDir, secret, credentialForm(dataDir, 'host'), async () => {});
      assert.not.ok(existsSync(keyPath(dataDir)));
      assert.is((await whereKeyLies(config)).form, 'host');
      await (await openDataDir(config, log)).close();
      // The service gets the key from systemd in this form, since its user could not unseal it.
      const given = join(dataDir, 'given');
      await writeFile(given, `${secret.toString('hex')}\n`);
      assert.is((await unlocked({ ...config, credential: given })).masterKey, secret.toString('hex'));

      await rotateKey({ dataDir }, secret, credentialForm(dataDir, 'host'), async () => {});
      assert.not.ok((await readMasterSecret(keySourceOf(await unlocked(config)))).equals(secret));

      const text = await readFile(sealedPath(dataDir), 'utf8');
      await writeFile(
        sealedPath(dataDir),
        text.replace(/[A-Z](?=[^A-Z]*$)/, (sign) => (sign === 'Q' ? 'R' : 'Q')),
      );
      assert.match(await refusal(unlocked(config)), /sealed for this very machine.*recovery sheet/);
    } finally {
      await rm(dataDir, { recursive: true });
    }
  });

if (swtpm)
  test('a key sealed by a TPM can be opened with that TPM only, so that the disk is useless in another machine', async () => {
    const { dataDir, secret } = await folder();
    const config = readConfig({ DATA_DIR: dataDir });
    const state = await mkdtemp(join(tmpdir(), 'almirah-tpm-'));
    const before = process.env.SYSTEMD_TPM2_DEVICE;
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as AddressInfo;
    await new Promise((done) => free.close(done));
    // The library expects the control channel of the TPM at the next port.
    const at = (number: number) => `type=tcp,port=${number},bindaddr=127.0.0.1`;
    const start = async () => {
      const args = ['--tpm2', '--tpmstate', `dir=${state}`, '--server', at(port), '--ctrl', at(port + 1)];
      const tpm = spawn('swtpm', ['socket', ...args, '--flags', 'not-need-init,startup-clear'], {
        stdio: 'ignore',
      });
      process.env.SYSTEMD_TPM2_DEVICE = `swtpm:host=127.0.0.1,port=${port}`;
      return tpm;
    };
    let tpm = await start();
    const stop = async () => {
      tpm.kill('SIGKILL');
      await once(tpm, 'close');
    };
    try {
      const form = credentialForm(dataDir, 'tpm');
      // The TPM is ready once it can seal a key.
      await until(() =>
        form.prepare(secret).then(
          () => true,
          () => false,
        ),
      );
      await moveKey(dataDir, secret, form, async () => {});
      assert.is((await whereKeyLies(config)).form, 'tpm');
      await (await openDataDir(config, log)).close();
      await stop();
      await Promise.all((await readdir(state)).map((file) => rm(join(state, file), { recursive: true })));
      tpm = await start();
      assert.match(
        await refusal(openDataDir(config, log)),
        /on another one, or after its TPM was cleared, use the recovery sheet/,
      );
    } finally {
      await stop();
      if (before === undefined) delete process.env.SYSTEMD_TPM2_DEVICE;
      else process.env.SYSTEMD_TPM2_DEVICE = before;
      await Promise.all([dataDir, state].map((one) => rm(one, { recursive: true })));
    }
  });

test.run();
