import { randomBytes } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { keyPath, parseSecret, readMasterSecret } from '#storage/keys.ts';
import { DATABASE_FILE } from '../../knexfile.ts';
import { readConfig } from '../config/config.ts';
import { openDataDir } from '../datadir/datadir.ts';
import type { KeyForm } from '../datadir/keys/forms.ts';
import { fileForm, passphraseForm } from '../datadir/keys/forms.ts';
import { moveKey } from '../datadir/keys/move.ts';
import { rotateKey } from '../datadir/keys/rotate.ts';
import { unlocked } from '../datadir/keys/unlock.ts';
import { keySourceOf } from '../datadir/settings.ts';
import { CHEAP } from '../datadir/testing/cheap-cost.ts';
import { migratedFile } from '../testing/template.ts';
import { replaceKey } from './replace-key.ts';
import { resealDatabase } from './reseal-database.ts';

const PASSPHRASE = 'seven quiet lamps over the canal';
const log = pino({ level: 'silent' });

interface Vault {
  scratch: string;
  fresh: string;
  blobId: string;
}

const test = suite<Vault>('replacing a master key that is kept elsewhere');
test.before(async (vault) => {
  vault.scratch = await mkdtemp(join(tmpdir(), 'almirah-rotate-'));
  vault.fresh = join(vault.scratch, 'fresh');
  await mkdir(vault.fresh, { mode: 0o700 });
  await copyFile(await migratedFile(), join(vault.fresh, DATABASE_FILE));
  const opened = await openDataDir(readConfig({ DATA_DIR: vault.fresh }), log);
  vault.blobId = (await opened.blobs.put(Readable.from(['content']))).id;
  await opened.close();
});
test.after(({ scratch }) => rm(scratch, { recursive: true }));

type Make = (dataDir: string) => KeyForm;
const FORMS: Record<string, Make> = {
  passphrase: (dataDir) => passphraseForm(dataDir, PASSPHRASE, CHEAP),
  file: (dataDir) => fileForm(dataDir, `${dataDir}.key`),
};

/** A data folder whose key is kept in this form. */
async function folder({ scratch, fresh }: Vault, make: Make): Promise<string> {
  const dataDir = join(scratch, randomBytes(4).toString('hex'));
  await cp(fresh, dataDir, { recursive: true });
  const secret = parseSecret(await readFile(keyPath(dataDir)), 'master.key');
  await moveKey(dataDir, secret, make(dataDir), async () => {});
  return dataDir;
}

const opened = async (dataDir: string) =>
  unlocked(readConfig({ DATA_DIR: dataDir }), async (wrong) => (wrong === null ? PASSPHRASE : null));
const secretOf = async (dataDir: string) => readMasterSecret(keySourceOf(await opened(dataDir)));

async function run(dataDir: string): Promise<void> {
  const typed = `${dataDir}.typed`;
  await writeFile(typed, `${PASSPHRASE}\n`);
  const descriptor = openSync(typed, 'r');
  const env = { DATA_DIR: dataDir, PASSPHRASE_FD: String(descriptor) };
  const done = replaceKey.run({ args: [], options: {}, env, say: () => {} });
  assert.ok(await done.finally(() => closeSync(descriptor)));
}

async function works(dataDir: string, { blobId }: Vault): Promise<void> {
  const vault = await openDataDir(await opened(dataDir), log);
  assert.is(await text(await vault.blobs.get(blobId)), 'content');
  await vault.db('firms').first('id');
  await vault.close();
}

/** Replaces the key and fails at this moment, as a power cut would. */
async function cut(dataDir: string, make: Make, moment: string): Promise<void> {
  const stop = (now: string): void => {
    if (now === moment) throw new Error('power cut');
  };
  const form = make(dataDir);
  const cutting: KeyForm = {
    ...form,
    async prepare(secret) {
      await form.prepare(secret);
      stop('prepared');
    },
    async place() {
      stop('moved');
      await form.place();
      stop('placed');
    },
  };
  const rotating = rotateKey({ dataDir }, await secretOf(dataDir), cutting, async (from, to, dry) => {
    if (!dry) stop('checked');
    await resealDatabase(dataDir, from.serverSecret, to.serverSecret, dry);
    if (!dry) stop('database');
  });
  await rotating.then(
    () => assert.unreachable(),
    (error: Error) => assert.is(error.message, 'power cut'),
  );
}

for (const [name, make] of Object.entries(FORMS))
  test(`a key of the form "${name}" is replaced, and after an interruption at any moment the same command completes it`, async (vault) => {
    const moments = ['', 'moved', 'placed', ...(name === 'file' ? [] : ['prepared', 'checked', 'database'])];
    for (const moment of moments) {
      const dataDir = await folder(vault, make);
      const old = await secretOf(dataDir);
      if (moment) await cut(dataDir, make, moment);
      if (moment && moment !== 'prepared')
        await openDataDir(await opened(dataDir), log).then(
          () => assert.unreachable(),
          (error: Error) => assert.match(error.message, /did not finish/, moment),
        );
      await run(dataDir);
      await works(dataDir, vault);
      assert.not.equal(await secretOf(dataDir), old, moment);
      const left = (await readdir(dataDir)).filter((one) => one.startsWith('master.'));
      assert.equal(left.toSorted(), ['master.check', 'master.key.sealed'], moment);
    }
  });

test('a plain key left by an interrupted move is not replaced, and the reason is given', async (vault) => {
  const dataDir = await folder(vault, FORMS.passphrase!);
  await copyFile(keyPath(vault.fresh), keyPath(dataDir));
  await run(dataDir).then(
    () => assert.unreachable(),
    (error: Error) => assert.match(error.message, /a move did not finish.*key wrap/),
  );
});

test.run();
