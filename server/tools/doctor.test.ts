import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '../config/config.ts';
import { findings } from './doctor.ts';

test('what is wrong with a machine is said in plain words, with what to do', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'almirah-doctor-'));
  const env = { DATA_DIR: folder, PORT: '1', SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@rao.in' };
  const about = async (what: string, more: Record<string, string> = {}) =>
    (await findings(readConfig({ ...env, ...more }), env)).find((one) => one.about === what);
  try {
    assert.match((await about('Master key'))?.text ?? '', /master key is not there.*recovery sheet/);
    await writeFile(join(folder, 'master.key'), 'x', { mode: 0o600 });
    assert.is((await about('Master key'))?.well, false);
    assert.match((await about('Master key'))?.text ?? '', /whoever takes the disk.*key wrap/);
    assert.match(
      (await about('Master key', { MASTER_KEY: 'y' }))?.text ?? '',
      /as well: whoever takes the disk has it/,
    );
    assert.match((await about('Processor'))?.text ?? '', /instructions for AES/);
    assert.is((await about('Permissions'))?.well, true);
    await chmod(folder, 0o755);
    assert.match((await about('Permissions'))?.text ?? '', /chmod 700/);
    assert.match((await about('E-mail'))?.text ?? '', /127\.0\.0\.1:1 does not take our e-mails/);
    assert.match((await about('Ports'))?.text ?? '', /1 are free/);
    assert.match(
      (await about('Readers'))?.text ?? '',
      /^(?:files are read|processes that read files|only Node)/,
    );
    const elsewhere = await about('Name', { BASE_URL: 'http://nobody.invalid' });
    assert.is(elsewhere?.well, false);
    assert.match(elsewhere?.text ?? '', /leads nowhere/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.run();
