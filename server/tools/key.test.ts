import { randomBytes } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import {
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DATABASE_FILE } from '../../knexfile.ts';
import { wordsOf } from '../backups/recovery/words.ts';
import { readConfig } from '../config/config.ts';
import { openDataDir } from '../datadir/datadir.ts';
import { fileForm, passphraseForm, plainForm } from '../datadir/keys/forms.ts';
import type { Step } from '../datadir/keys/move.ts';
import { moveKey } from '../datadir/keys/move.ts';
import { CHEAP } from '../datadir/testing/cheap-cost.ts';
import { killAtLine } from '../testing/kill-at-line.ts';
import { migratedFile } from '../testing/template.ts';
import { readUnlockedConfig } from './ask-passphrase.ts';
import { keyCommand } from './key.ts';

const PASSPHRASE = 'seven quiet lämps over the canal';
const mover = join(import.meta.dirname, '../datadir/testing/move-key.ts');
const log = pino({ level: 'silent' });
const key = keyCommand(CHEAP);

interface Vault {
  scratch: string;
  /** A fresh folder with a plain key. */
  fresh: string;
  dataDir: string;
  secret: Buffer;
}

const test = suite<Vault>('the place of the master key');
test.before(async (vault) => {
  vault.scratch = await mkdtemp(join(tmpdir(), 'almirah-key-form-'));
  vault.fresh = join(vault.scratch, 'fresh');
  await mkdir(vault.fresh, { mode: 0o700 });
  await copyFile(await migratedFile(), join(vault.fresh, DATABASE_FILE));
  const opened = await openDataDir(readConfig({ DATA_DIR: vault.fresh }), log);
  await opened.close();
  vault.secret = Buffer.from((await readFile(join(vault.fresh, 'master.key'), 'utf8')).trim(), 'hex');
});
test.before.each(async (vault) => {
  vault.dataDir = join(vault.scratch, randomBytes(4).toString('hex'));
  await cp(vault.fresh, vault.dataDir, { recursive: true });
});
test.after(({ scratch }) => rm(scratch, { recursive: true }));

/** Does `work` with these lines at a file descriptor, from which the passphrase is read. */
async function typing<T>(
  { scratch, dataDir }: Vault,
  lines: readonly string[],
  work: (env: Record<string, string>) => Promise<T>,
): Promise<T> {
  const file = join(scratch, `typed-${randomBytes(4).toString('hex')}`);
  await writeFile(file, lines.map((line) => `${line}\n`).join(''));
  const descriptor = openSync(file, 'r');
  return work({ DATA_DIR: dataDir, PASSPHRASE_FD: String(descriptor) }).finally(() => closeSync(descriptor));
}

async function run(
  vault: Vault,
  args: readonly string[],
  options: Record<string, string | boolean> = {},
  ...lines: string[]
): Promise<string> {
  const said: string[] = [];
  await typing(vault, lines, (env) =>
    key.run({ args: [...args], options, env, say: (line) => said.push(line) }),
  );
  return said.join('\n');
}
const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => Promise.reject(new Error('It was done.')),
    (error: Error) => error.message,
  );

const opening = (vault: Vault, ...lines: string[]): Promise<void> =>
  typing(vault, lines, async (env) => {
    const opened = await openDataDir(await readUnlockedConfig(env), log);
    await opened.close();
  });

const KNOWN = { 'i-have-a-recovery-sheet': true };
const names = async ({ dataDir }: Vault) =>
  (await readdir(dataDir)).filter((name) => name.startsWith('master.')).toSorted();

test('a key sealed with a passphrase is removed from the folder, and opens with that passphrase only', async (vault) => {
  assert.match(await run(vault, ['status']), /whoever takes the disk.*reads every document.*key wrap/);
  assert.match(
    await refusal(run({ ...vault, dataDir: vault.scratch }, ['status'])),
    /holds no almirah\.sqlite/,
    'a folder without a vault has lost no key',
  );
  const foo = run({ ...vault, dataDir: vault.scratch }, ['wrap'], { with: 'foo' });
  assert.match(await refusal(foo), /^Say with what/, 'before the server has to be stopped for it');
  assert.match(
    await run(vault, ['wrap'], { with: 'passphrase', ...KNOWN }, PASSPHRASE),
    /sealed with a passphrase/,
  );
  assert.equal(await names(vault), ['master.check', 'master.key.sealed']);
  for (const name of await readdir(vault.dataDir).then((all) =>
    all.filter((one) => !/blobs|backups/.test(one)),
  )) {
    const bytes = await readFile(join(vault.dataDir, name));
    assert.not.ok(bytes.includes(vault.secret) || bytes.includes(vault.secret.toString('hex')), name);
  }
  await opening(vault, PASSPHRASE);
  await opening(vault, `${PASSPHRASE.normalize('NFD')}`);
  assert.match(
    await refusal(opening(vault, 'seven quiet lämps over the Canal')),
    /not the passphrase of this vault/,
  );
  assert.match(
    await refusal(openDataDir(readConfig({ DATA_DIR: vault.dataDir }), log)),
    /sealed with a passphrase.*Nothing was changed/,
  );
  assert.match(await run(vault, ['unwrap'], {}, PASSPHRASE), /lies in the data folder as it is/);
  assert.equal(await names(vault), ['master.check', 'master.key']);
  await opening(vault);
});

test('key wrap refuses to run before the recovery sheet has been saved, and with a weak passphrase', async (vault) => {
  const why = await refusal(run(vault, ['wrap'], { with: 'passphrase' }, PASSPHRASE));
  assert.match(why, /Nobody has saved the recovery sheet.*--i-have-a-recovery-sheet/);
  for (const weak of ['short', 'aaaaaaaaaaaaaaaaaaaa', ''])
    await refusal(run(vault, ['wrap'], { with: 'passphrase', ...KNOWN }, weak));
  assert.match(await refusal(run(vault, ['wrap'], KNOWN)), /Say with what/);
  assert.equal(await names(vault), ['master.check', 'master.key']);
});

test('a key in a file elsewhere is read from there, and the file is named when it is missing', async (vault) => {
  const file = join(vault.scratch, 'stick', 'almirah.key');
  const wrap = (...lines: string[]) => run(vault, ['wrap', file], { with: 'file', ...KNOWN }, ...lines);
  assert.match(await refusal(wrap()), /stick is not there. Is its disk mounted/);
  await mkdir(join(vault.scratch, 'stick'));
  assert.match(
    await refusal(run(vault, ['wrap', join(vault.dataDir, 'x')], { with: 'file', ...KNOWN })),
    /is in the data folder/,
  );
  // The file and the data folder are in the same temporary folder here.
  assert.match(await wrap(), /on the disk that has the data/);
  assert.equal(await names(vault), ['master.check', 'master.key.sealed']);
  await opening(vault);
  await run(vault, ['wrap'], { with: 'passphrase', ...KNOWN }, PASSPHRASE);
  await opening(vault, PASSPHRASE);
  await wrap(PASSPHRASE);
  await rm(file);
  assert.match(await refusal(opening(vault)), new RegExp(`kept at ${file}, which is not there`));
});

test('a key file elsewhere is removed once the key has opened in its next form, because whoever finds it reads everything', async (vault) => {
  const stick = join(vault.scratch, `stick-${randomBytes(4).toString('hex')}`);
  await mkdir(stick);
  const [first, second] = [join(stick, 'first.key'), join(stick, 'second.key')];
  await run(vault, ['wrap', first], { with: 'file', ...KNOWN });
  await run(vault, ['wrap', second], { with: 'file', ...KNOWN });
  assert.equal(await readdir(stick), ['second.key']);
  await run(vault, ['wrap'], { with: 'passphrase', ...KNOWN }, PASSPHRASE);
  assert.equal(await readdir(stick), []);
  await run(vault, ['wrap', first], { with: 'file', ...KNOWN }, PASSPHRASE);
  await run(vault, ['unwrap']);
  assert.equal(await readdir(stick), []);
  assert.equal(await names(vault), ['master.check', 'master.key']);
  await opening(vault);
});

test('a key file on a stick that is not plugged in is named until it is removed', async (vault) => {
  const stick = join(vault.scratch, `stick-${randomBytes(4).toString('hex')}`);
  await mkdir(stick);
  const file = join(stick, 'almirah.key');
  await run(vault, ['wrap', file], { with: 'file', ...KNOWN });
  await rename(stick, `${stick}-away`);
  const sheet = join(vault.scratch, 'words-of-absent.txt');
  await writeFile(sheet, wordsOf(vault.secret).join(' '));
  const wrap = () => run(vault, ['wrap'], { with: 'passphrase', sheet }, PASSPHRASE);
  assert.match(await wrap(), new RegExp(`${file} held it as it is before and could not be removed`));
  assert.match(await run(vault, ['status']), new RegExp(`${file} held it as it is before`));
  await rename(`${stick}-away`, stick);
  assert.not.match(await wrap(), /could not be removed/);
  assert.equal(await readdir(stick), []);
  assert.equal(await names(vault), ['master.check', 'master.key.sealed']);
});

test('wrapping a key that MASTER_KEY_FILE gives names that file, which still holds it', async (vault) => {
  const file = join(vault.scratch, 'given.key');
  await rename(join(vault.dataDir, 'master.key'), file);
  const said: string[] = [];
  await typing(vault, [PASSPHRASE], (env) =>
    key.run({
      args: ['wrap'],
      options: { with: 'passphrase', ...KNOWN },
      env: { ...env, MASTER_KEY_FILE: file },
      say: (line) => said.push(line),
    }),
  );
  assert.match(said.join('\n'), new RegExp(`comes from ${file}.*delete that file`));
});

test('the data folder is no other place for the key, by whatever name it goes, since the key in it is destroyed', async (vault) => {
  const [link, below] = ['vault', 'books'].map((name) =>
    join(vault.scratch, `${name}-${randomBytes(4).toString('hex')}`),
  );
  await symlink(vault.dataDir, link!);
  await symlink(join(vault.dataDir, 'backups'), below!);
  await mkdir(join(vault.dataDir, 'backups'), { recursive: true });
  for (const file of [join(link!, 'master.key'), join(link!, 'almirah.key'), join(below!, 'almirah.key')])
    assert.match(
      await refusal(run(vault, ['wrap', file], { with: 'file', ...KNOWN })),
      /is in the data folder.*Nothing was changed/,
    );
  assert.match(
    await refusal(
      run({ ...vault, dataDir: link! }, ['wrap', join(vault.dataDir, 'x.key')], { with: 'file', ...KNOWN }),
    ),
    /is in the data folder/,
  );
  assert.equal(await names(vault), ['master.check', 'master.key']);
  await opening(vault);
});

test('a key that was put where the data folder only links to stays there, and the link is removed', async (vault) => {
  const stick = join(vault.scratch, `stick-${randomBytes(4).toString('hex')}`);
  await mkdir(stick);
  const file = join(stick, 'almirah.key');
  await rename(join(vault.dataDir, 'master.key'), file);
  await symlink(file, join(vault.dataDir, 'master.key'));
  await opening(vault);
  await run(vault, ['wrap', file], { with: 'file', ...KNOWN });
  assert.equal(await names(vault), ['master.check', 'master.key.sealed']);
  assert.is(await readFile(file, 'utf8'), `${vault.secret.toString('hex')}\n`);
  await opening(vault);
});

test('the key in the data folder is not destroyed before it has come back from its new place', async (vault) => {
  const { dataDir, secret } = vault;
  const inside = fileForm(dataDir, join(dataDir, 'master.key'));
  assert.match(await refusal(moveKey(dataDir, secret, inside, async () => {})), /are the same file/);
  assert.is(await readFile(join(dataDir, 'master.key'), 'utf8'), `${secret.toString('hex')}\n`);
  await opening(vault);
  const lost = { ...passphraseForm(dataDir, PASSPHRASE, CHEAP), place: async () => {} };
  assert.match(await refusal(moveKey(dataDir, secret, lost, async () => {})), /did not come back/);
  assert.is(await readFile(join(dataDir, 'master.key'), 'utf8'), `${secret.toString('hex')}\n`);
});

test('a forgotten passphrase is replaced by means of the recovery sheet, and a wrong word is named', async (vault) => {
  await run(vault, ['wrap'], { with: 'passphrase', ...KNOWN }, PASSPHRASE);
  const sheet = join(vault.scratch, 'words.txt');
  const words = wordsOf(vault.secret);
  await writeFile(sheet, words.with(6, words[6] === 'zoo' ? 'zone' : 'zoo').join(' '));
  const again = () => run(vault, ['wrap'], { with: 'passphrase', sheet }, 'another one that is long enough');
  assert.match(await refusal(again()), /Word 7 is wrong/);
  await opening(vault, PASSPHRASE);
  await writeFile(sheet, words.join('\n'));
  await again();
  await opening(vault, 'another one that is long enough');
  await writeFile(join(vault.dataDir, 'master.key.sealed'), '{"version":1');
  assert.match(await refusal(opening(vault)), /master\.key\.sealed is damaged.*recovery sheet/);
  await again();
  await opening(vault, 'another one that is long enough');
});

test('a sheet that is no file is named, without a stack trace', async (vault) => {
  const wrap = (sheet: string) => refusal(run(vault, ['wrap'], { with: 'passphrase', sheet }, PASSPHRASE));
  assert.match(
    await wrap('/nowhere/words.txt'),
    /words\.txt cannot be read: there is no such file. Give another/,
  );
  assert.match(await wrap(vault.scratch), /that is a folder. Give another file/);
});

test('damage to the sealed file, a second master key and a newer format each get their own error message', async (vault) => {
  const sealed = join(vault.dataDir, 'master.key.sealed');
  await run(vault, ['wrap'], { with: 'passphrase', ...KNOWN }, PASSPHRASE);
  const text = await readFile(sealed, 'utf8');
  for (const [from, to] of [
    [/"passes": 1/, '"passes": 2'],
    [/"sealed": "./, '"sealed": "x'],
    [/"salt": "(.)/, (_: string, digit: string) => `"salt": "${digit === '0' ? '1' : '0'}`],
    [/"memory_kib": 64/, '"memory_kib": 99999999999'],
  ] as [RegExp, string][]) {
    await writeFile(sealed, text.replace(from, to));
    assert.match(await refusal(opening(vault, PASSPHRASE)), /is damaged/);
  }
  await writeFile(sealed, text.replace('"version": 1', '"version": 2'));
  assert.match(await refusal(opening(vault, PASSPHRASE)), /newer Almirah/);
  await writeFile(sealed, text);
  await writeFile(join(vault.dataDir, 'master.key'), randomBytes(32).toString('hex'));
  assert.match(
    await refusal(opening(vault, PASSPHRASE)),
    /two master keys that differ.*of this vault is master\.key\.sealed: move master\.key to another place/,
  );
});

/** Moves the key, and fails after that step. */
async function cutAt(vault: Vault, form: 'passphrase' | 'plain', step: Step): Promise<void> {
  const { dataDir, secret } = vault;
  const to = form === 'plain' ? plainForm(dataDir) : passphraseForm(dataDir, PASSPHRASE, CHEAP);
  const cut = moveKey(
    dataDir,
    secret,
    to,
    async () => {},
    (done) => {
      if (done === step) throw new Error('cut');
    },
  );
  assert.is(await refusal(cut), 'cut');
}

test('after an interruption at any step the vault opens, and the same command completes the move', async (vault) => {
  for (const step of ['prepared', 'opened', 'placed'] as const) {
    await cutAt(vault, 'passphrase', step);
    await opening(vault, PASSPHRASE);
    await run(vault, ['wrap'], { with: 'passphrase', ...KNOWN }, PASSPHRASE);
    assert.equal(await names(vault), ['master.check', 'master.key.sealed'], `to a passphrase, at ${step}`);
    await cutAt(vault, 'plain', step);
    await opening(vault, PASSPHRASE);
    await run(vault, ['unwrap'], {}, PASSPHRASE);
    assert.equal(await names(vault), ['master.check', 'master.key'], `back, at ${step}`);
  }
});

test('after a kill before the old form of the key is removed, the vault opens, and the same command completes the move', async (vault) => {
  assert.ok(await killAtLine(mover, [vault.dataDir, PASSPHRASE], 'placed', 1));
  assert.equal(await names(vault), ['master.check', 'master.key', 'master.key.sealed']);
  assert.match(await run(vault, ['status']), /master\.key lies in the data folder as well/);
  await opening(vault);
  await run(vault, ['wrap'], { with: 'passphrase', ...KNOWN }, PASSPHRASE);
  await opening(vault, PASSPHRASE);
});

test.run();
