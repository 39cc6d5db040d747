import { realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import {
  KeyRefused,
  keyPath,
  parseSecret,
  readChecks,
  readIfThere,
  readMasterSecret,
  unfinishedReplacement,
} from '#storage/keys.ts';
import { deriveMasterKey } from '#storage/masterkey.ts';
import { keyFromWords, WrongWords } from '../backups/recovery/words.ts';
import { keyInUse, sheetOf } from '../backups/sheets.ts';
import type { Config } from '../config/config.ts';
import { readConfig } from '../config/config.ts';
import { openDatabase } from '../datadir/database.ts';
import type { KeyForm } from '../datadir/keys/forms.ts';
import { credentialForm, fileForm, passphraseForm, plainForm } from '../datadir/keys/forms.ts';
import { moveKey } from '../datadir/keys/move.ts';
import { COST, weakness } from '../datadir/keys/passphrase.ts';
import type { Cost } from '../datadir/keys/sealed-file.ts';
import { unlocked } from '../datadir/keys/unlock.ts';
import { isUnused, liesBeside, whereaboutsInWords, whereKeyLies } from '../datadir/keys/whereabouts.ts';
import { lockDataFolder } from '../datadir/lock.ts';
import { keySourceOf } from '../datadir/settings.ts';
import { pageKeyOf } from '../db/sqlite/page-encryption.ts';
import { askAdmin, newPassphrase, sheetWords } from './ask-passphrase.ts';
import type { Command, CommandInput } from './command.ts';
import { databaseOf } from './open-alongside.ts';
import { Refused, WrongUsage } from './refused.ts';

async function status({ env, say }: CommandInput): Promise<boolean> {
  const where = await whereKeyLies(readConfig(env));
  if (isUnused(where)) databaseOf(where.data_dir);
  const { well, text } = whereaboutsInWords(where);
  say(text);
  return well;
}

/** The key from the words of a recovery sheet. @throws {Refused} naming a wrong word. */
async function fromSheet(dataDir: string, words: string): Promise<Buffer> {
  const checks = await readChecks(dataDir);
  // The sheet may be that of either key.
  if (checks && checks.keys > 1) throw unfinishedReplacement(dataDir);
  const fits = (secret: Buffer) => checks === undefined || checks.position(deriveMasterKey(secret)) === 0;
  try {
    return keyFromWords(words, fits);
  } catch (error) {
    throw error instanceof WrongWords ? new Refused(`${error.message}\nNothing was changed.`) : error;
  }
}

/** The current key: from the sheet if given, otherwise opened in its current form. */
async function presentKey(input: CommandInput, config: Config): Promise<Buffer> {
  const words = await sheetWords(input);
  if (words !== null) return fromSheet(config.dataDir, words);
  // After an interrupted change both forms may exist; the plain one needs no passphrase.
  const plain =
    config.masterKey || config.masterKeyFile ? undefined : await readIfThere(keyPath(config.dataDir));
  const settings = await unlocked(config, askAdmin(config));
  return plain ? parseSecret(plain, keyPath(config.dataDir)) : readMasterSecret(keySourceOf(settings));
}

/**
 * Checks that a key opens the data folder, by its check file and its database.
 * @returns whether the recovery sheet was saved.
 */
async function opensData(dataDir: string, secret: Buffer): Promise<boolean> {
  const master = deriveMasterKey(secret);
  const checks = await readChecks(dataDir);
  if (!checks || checks.position(master) < 0)
    throw new KeyRefused(`This key is not the one that ${dataDir} is sealed with. Nothing was changed.`);
  if (checks.keys > 1) throw unfinishedReplacement(dataDir);
  const db = openDatabase(dataDir, { key: pageKeyOf(master.serverSecret) });
  try {
    const id = await keyInUse(dataDir);
    if (!(await db.schema.hasTable('recovery_sheets'))) return false;
    return id !== null && (await sheetOf(db, id)) !== null;
  } finally {
    await db.destroy();
  }
}

/** Whether a folder is another one or lies below it, also by way of symbolic links, or where the other one is mounted once more. */
async function liesIn(outer: string, folder: string): Promise<boolean> {
  const { dev, ino } = await stat(outer, { bigint: true });
  for (let at = await realpath(folder); ; at = dirname(at)) {
    const here = await stat(at, { bigint: true });
    if (here.dev === dev && here.ino === ino) return true;
    if (at === dirname(at)) return false;
  }
}

/** @throws {Refused} if the file is in the data folder, or holds another key. */
async function fileIn(path: string | undefined, dataDir: string, secret: Buffer): Promise<KeyForm> {
  if (!path) throw new Refused('Say where the key is to lie: key wrap --with file /media/stick/almirah.key');
  const file = resolve(path);
  await stat(dirname(file)).catch(() => {
    throw new Refused(`${dirname(file)} is not there. Is its disk mounted? Nothing was changed.`);
  });
  if (await liesIn(dataDir, dirname(file)))
    throw new Refused(
      `${file} is in the data folder, where the key is to leave. Give a file on another disk or stick. Nothing was changed.`,
    );
  const there = await readIfThere(file);
  if (there && !parseSecret(there, file).equals(secret))
    throw new Refused(`${file} holds another key. Give another file. Nothing was changed.`);
  return fileForm(dataDir, file);
}

const LEADS: Record<string, string> = {
  passphrase:
    'From now on the passphrase is asked for at each start: in the terminal, and where a service starts the server, on this machine ' +
    'at the address that its log names.',
  credential:
    'systemd opens it for the service: run "npm run admin -- install" once more, or add to the unit the line LoadCredentialEncrypted=almirah-master-key:',
  file: 'The server reads it there at each start, so the disk or stick has to be mounted then.',
};

const FORMS = ['passphrase', 'tpm', 'credential', 'file'];

async function wrap(input: CommandInput, cost: Cost): Promise<boolean> {
  const { options, args, env, say } = input;
  if (!FORMS.includes(options.with as string))
    throw new Refused(
      'Say with what: --with passphrase, --with tpm, --with credential, or --with file PATH.',
    );
  const config = readConfig(env);
  const { dataDir } = config;
  databaseOf(dataDir);
  const unlock = await lockDataFolder(dataDir).catch((error: Error) => {
    throw new Refused(error.message);
  });
  try {
    const secret = await presentKey(input, config);
    const saved = await opensData(dataDir, secret);
    const proven = options.sheet !== undefined || options.words === true;
    if (!saved && !proven && options['i-have-a-recovery-sheet'] !== true)
      throw new Refused(
        'Nobody has saved the recovery sheet of this key yet. If the passphrase is forgotten, or the machine breaks, it alone opens the vault: ' +
          'save it first, in Backups on the System screen. If you have it, say --i-have-a-recovery-sheet. Nothing was changed.',
      );
    let form: KeyForm;
    switch (options.with) {
      case 'passphrase':
        form = passphraseForm(dataDir, await newPassphrase(config, weakness), cost);
        break;
      case 'credential':
      case 'tpm':
        form = credentialForm(dataDir, options.with === 'tpm' ? 'tpm' : 'host');
        break;
      default:
        form = await fileIn(args[1], dataDir, secret);
    }
    await moveKey(dataDir, secret, form, async (key) => void (await opensData(dataDir, key)));
    say(whereaboutsInWords(await whereKeyLies({ ...config, masterKey: null, masterKeyFile: null })).text);
    say(`${LEADS[form.form]}${form.form === 'credential' ? `${dataDir}/master.key.sealed` : ''}`);
    if (config.masterKeyFile && resolve(config.masterKeyFile) !== form.file)
      say(
        `Take MASTER_KEY_FILE out of the settings now: until then the key comes from ${config.masterKeyFile}. Start the server, and ` +
          'delete that file: it still holds the key as it is.',
      );
    else if (config.masterKey || config.masterKeyFile)
      say('Take MASTER_KEY or MASTER_KEY_FILE out of the settings now: until then the key comes from there.');
    say(
      'Copies of the plain key may be left on an SSD and in copies of the folder: "npm run admin -- replace-key" makes them worthless.',
    );
    return true;
  } finally {
    await unlock();
  }
}

async function unwrap(input: CommandInput): Promise<boolean> {
  const config = readConfig(input.env);
  const { dataDir } = config;
  databaseOf(dataDir);
  const unlock = await lockDataFolder(dataDir).catch((error: Error) => {
    throw new Refused(error.message);
  });
  try {
    const before = await whereKeyLies(config);
    if (before.form === 'plain' && !before.plain_too)
      throw new Refused(`The key lies in ${keyPath(dataDir)} as it is already.`);
    const secret = await presentKey(input, config);
    await moveKey(dataDir, secret, plainForm(dataDir), async (key) => void (await opensData(dataDir, key)));
    const after = await whereKeyLies(config);
    input.say(whereaboutsInWords(after).text);
    if (config.masterKeyFile) input.say(`${config.masterKeyFile} still holds the key as well.`);
    return liesBeside(after);
  } finally {
    await unlock();
  }
}

/** Sends the passphrase to a server on this machine that waits for it. */
async function unlock({ env, say }: CommandInput): Promise<boolean> {
  const config = readConfig(env);
  if (config.unlockPort === null)
    throw new Refused('UNLOCK_PORT is off: this server takes no passphrase but in its terminal.');
  const address = `http://127.0.0.1:${config.unlockPort}`;
  const silent = (): never => {
    throw new Refused(
      `No server waits for a passphrase at ${address}. Is it unlocked already? Or is UNLOCK_PORT another one?`,
    );
  };
  await fetch(`${address}/healthz`).catch(silent);
  for (let ask = askAdmin(config), wrong: string | null = null; ;) {
    const passphrase = await ask(wrong);
    if (passphrase === null)
      throw new Refused(
        wrong ?? 'There is no terminal to ask for the passphrase: give it with --passphrase-fd 0.',
      );
    const answer = await fetch(`${address}/unlock`, {
      method: 'POST',
      headers: { Accept: 'application/json' },
      body: new URLSearchParams({ passphrase }),
    }).catch(silent);
    const { message } = (await answer.json()) as { message: string };
    if (answer.ok) {
      say(message);
      return true;
    }
    wrong = message;
  }
}

const ACTIONS: Record<string, (input: CommandInput, cost: Cost) => Promise<boolean>> = {
  status,
  wrap,
  unwrap,
  unlock,
};

/** @param cost the key derivation cost of a new passphrase. */
export const keyCommand = (cost: Cost): Command => ({
  summary: 'where the master key lies: status, wrap, unwrap, unlock',
  args: ['ACTION'],
  user: 'caller',
  more: ['PATH'],
  options: {
    with: { type: 'string' },
    sheet: { type: 'string' },
    words: { type: 'boolean' },
    'i-have-a-recovery-sheet': { type: 'boolean' },
  },
  help: `status says where the key lies, and whether whoever takes the disk has it too. wrap takes it out of the data folder, or
moves it from one form to another; unwrap puts it back as it is. Both want the server stopped. What the key was in before is
removed only after the new form has opened; cut off, run the same again.

  unlock                   type the passphrase for a server on this machine that waits for it (UNLOCK_PORT)
  wrap --with passphrase   sealed with a passphrase that is typed at each start
  wrap --with tpm          sealed by the TPM of this machine: the disk opens in no other one; needs root and systemd
  wrap --with credential   sealed for this machine by systemd, with a key on its system disk; needs root
  wrap --with file PATH    as it is, on another disk or a stick

  --sheet FILE             open it by the 24 words of the recovery sheet in FILE: the passphrase is forgotten, the TPM is gone
  --words                  the same, typed in the terminal
  --i-have-a-recovery-sheet   go on although none was saved in Backups

A passphrase for scripts: --passphrase-fd 0 reads a line of the standard input; where it is changed, the old one and then the new.`,

  async run(input) {
    const action = Object.hasOwn(ACTIONS, input.args[0]!) ? ACTIONS[input.args[0]!] : undefined;
    if (!action) throw new WrongUsage(`"key" takes status, wrap, unwrap or unlock, not "${input.args[0]}".`);
    return action(input, cost);
  },
});

export const key = keyCommand(COST);
