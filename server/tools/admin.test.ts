import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openVaultDatabase } from '../testing/vault-database.ts';
import { ledger, pdf, photo } from './samples.ts';

const test = suite<{ dataDir: string }>('the admin commands');
test.before.each(async (world) => {
  world.dataDir = join(await mkdtemp(join(tmpdir(), 'almirah-admin-')), 'data');
});
test.after.each(({ dataDir }) => rm(join(dataDir, '..'), { recursive: true }));

function admin(dataDir: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const entry = join(import.meta.dirname, 'admin.ts');
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [entry, ...args],
      { env: { ...process.env, DATA_DIR: dataDir } },
      (error, out, err) => {
        resolve({ code: error ? Number(error.code) : 0, out, err });
      },
    );
  });
}

test('exit codes distinguish invalid usage from a refusal', async ({ dataDir }) => {
  for (const wrong of [
    [],
    ['fly'],
    ['constructor'],
    ['backup'],
    ['backup', 'a', 'b'],
    ['verify', '--fast'],
    ['key', 'fly'],
    ['plans', 'fly'],
  ]) {
    assert.is((await admin(dataDir, ...wrong)).code, 2, wrong.join(' '));
  }
  const mistyped = await admin(dataDir, 'verify', '--read-dta');
  assert.match(mistyped.err, /^There is no option --read-dta\.\n/);
  assert.match((await admin(dataDir, 'migrate', '--to')).err, /^--to takes a value\./);
  assert.match((await admin(dataDir, '--version')).out, /^\d+\.\d+\.\d+\n$/);
  assert.match((await admin(dataDir, '-h')).out, /^npm run admin -- COMMAND/);
  const help = await admin(dataDir, 'restore', '--help');
  assert.is(help.code, 0);
  assert.match(help.out, /--read-data/);
  const refusal = await admin(dataDir, 'verify');
  assert.is(refusal.code, 1);
  assert.match(refusal.err, /holds no almirah.sqlite/);
  assert.not.match(refusal.err, /at .*\.ts/, 'an admin gets a sentence, not a stack');
});

test('a command finishes its work when its output is closed, as by head', async ({ dataDir }) => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'admin.ts'), 'doctor'], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let said = '';
  child.stderr.on('data', (part) => (said += part));
  await once(child, 'close');
  assert.is(said, '', 'no stack of a broken pipe');
});

test('seed creates an office that passes verify, and prints its e-mail address and password', async ({
  dataDir,
}) => {
  const seeded = await admin(dataDir, 'seed', '--items', '50', '--per-folder', '20');
  assert.is(seeded.code, 0, seeded.err);
  assert.match(seeded.out, /E-mail: +asha@example.in\nPassword: \S{8,}/);
  const db = await openVaultDatabase(dataDir);
  for (const { password_hash } of await db('users'))
    assert.match(password_hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/, 'at the full cost, outside of tests');
  const moment = new Date(Date.now() - 60_000).toISOString();
  const server = { subject: 'server', input: '{}', data: '{}', status: 'starting', message: 'Not done yet' };
  for (const kind of ['tell-clients-of-returns', 'send-alarms'])
    await db('jobs').insert({
      ...server,
      kind,
      every: 60_000,
      progress: 0,
      attempts: 0,
      created_at: moment,
      due_at: moment,
    });
  await db.destroy();
  const again = await admin(dataDir, 'seed');
  assert.is(again.code, 1);
  assert.match(again.err, /taken|already/i);
  const jobs = await admin(dataDir, 'jobs');
  assert.is(jobs.code, 0, jobs.err);
  assert.match(jobs.out, /Waiting \(1\): \n {2}1 {2}letter auth\.welcome {2}\S+/);
  assert.match(jobs.out, /tell-clients-of-returns +nothing to do now {2}last: Not needed yet\n/);
  assert.match(jobs.out, /send-alarms +due .+ {2}last: Not done yet\n/);
  assert.not.match(jobs.out, /asha@example\.in/, 'whom an e-mail is for is sealed with it');
  const verified = await admin(dataDir, 'verify', '--read-data');
  assert.is(verified.code, 0, verified.out);
  assert.match(verified.out, /^63 files/m);
});

test('the sample documents have the content that their names say', () => {
  const pages = pdf([['one (1)'], ['two'], ['three']]).toString('latin1');
  assert.is(pages.match(/\/Type \/Page /g)?.length, 3);
  const start = Number(/startxref\n(\d+)/.exec(pages)![1]);
  assert.is(pages.slice(start, start + 4), 'xref');
  assert.is(photo().subarray(1, 4).toString(), 'PNG');
  assert.is(ledger(2025).split('\n')[0], 'Date,Head,Amount');
});

test.run();
