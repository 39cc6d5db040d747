import { mkdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { readConfig } from '../config/config.ts';
import { unlocked } from '../datadir/keys/unlock.ts';
import { lockFile } from '../datadir/lock.ts';
import { UPDATE_LOCK } from '../serving/updates.ts';
import { momentInWords } from '../text/day-in-india.ts';
import { keptDatabases } from '../datadir/update-snapshot.ts';
import { keptInWords } from '../updates/contract.ts';
import { openRelease } from '../updates/archive.ts';
import { baseOf, currentOf, migrationsIn, versionIn } from '../updates/layout.ts';
import { UPDATE_FOLDER, isUnderWay, recordsOf, viewOf } from '../updates/record.ts';
import { BadRelease, readKeys } from '../updates/release.ts';
import type { Outcome } from '../updates/update.ts';
import { finishUpdate, update as installRelease } from '../updates/update.ts';
import { asOwner } from './as-owner.ts';
import { askAdmin } from './ask-passphrase.ts';
import type { Command, CommandInput } from './command.ts';
import { databaseOf } from './open-alongside.ts';
import { Refused } from './refused.ts';
import { withServiceSettings } from './service-settings.ts';
import { goBack, isReady } from './update-back.ts';
import { requireCompatible, requireSpace, localArchive } from './update-fit.ts';
import type { Installation } from './update-dependencies.ts';
import { dependenciesOf, serviceOf } from './update-dependencies.ts';
import { hasService } from './update-service.ts';

const PROGRAM = resolve(import.meta.dirname, '../..');
/** Public keys of the maintainers. */
const KEYS = join(PROGRAM, 'server/updates/release-keys.txt');

/** Says which version is in use after an update. @returns whether it is the new one. */
async function report(installation: Installation, { outcome }: Outcome): Promise<boolean> {
  const { config, say } = installation;
  const { from, to } = (await recordsOf(config.dataDir).read())!;
  const isStarted = serviceOf(installation).start !== null;
  if (outcome === 'done') say(isStarted ? `${to} runs.` : isReady(to));
  else
    say(isStarted ? `${from} runs again, with its database.` : `The database is as it was. ${isReady(from)}`);
  return outcome === 'done';
}

/** Keys that releases are accepted from: the maintainers', or those in RELEASE_KEYS instead. */
const keysOf = async ({ releaseKeys }: Config) => readKeys(releaseKeys ?? (await readFile(KEYS, 'utf8')));

/** Tells of the databases that reverted updates have left. */
async function sayKept({ config, say }: Pick<Installation, 'config' | 'say'>): Promise<void> {
  const kept = await keptDatabases(config.dataDir);
  if (kept.length > 0) say(keptInWords(kept));
}

async function status({ base, config, say }: Installation): Promise<boolean> {
  const version = await versionIn(await currentOf(base));
  say(`Version ${version} runs.`);
  const record = await recordsOf(config.dataDir).read();
  if (!record) {
    say('No update has been.');
    return true;
  }
  const { from, to, outcome, at, why } = viewOf(record);
  const on = momentInWords(new Date(at));
  if (outcome === 'done') say(`The last update, from ${from} to ${to}, was done on ${on}.`);
  else if (outcome === 'back') say(`The last update, from ${from} to ${to}, went back on ${on}: ${why}`);
  else say(`An update from ${from} to ${to}, begun on ${on}, was cut short. Run "update" again to end it.`);
  await sayKept({ config, say });
  return outcome !== 'underway';
}

/** Runs `work` with the update lock. */
async function withUpdateLock<T>({ config: { dataDir } }: Installation, work: () => Promise<T>): Promise<T> {
  const release = await asOwner(dataDir, async () => {
    await mkdir(join(dataDir, UPDATE_FOLDER), { recursive: true, mode: 0o700 });
    return lockFile(join(dataDir, UPDATE_LOCK));
  });
  if (!release) throw new Refused('An update is running already.');
  return work().finally(release);
}

async function run(installation: Installation, input: CommandInput): Promise<boolean> {
  const { base, config, say } = installation;
  const [what] = input.args;
  const keys = await keysOf(config);
  const ended = await finishUpdate(dependenciesOf(installation, input, null, keys));
  if (what === 'finish') {
    if (ended) await report(installation, ended);
    return true;
  }
  if (!what) {
    if (!ended) throw new Refused('Say which archive: a file or an address.');
    return report(installation, ended);
  }
  if (what === 'back') return goBack(installation, input.options['lose-data'] === true);
  if (keys.length === 0)
    throw new Refused(
      'This version knows no key by which releases are signed. Set RELEASE_KEYS to the public key of whoever makes them.',
    );
  const { file, temporary } = await localArchive(base, what);
  try {
    say('Checking the archive.');
    const release = await openRelease(file, keys, null);
    await requireCompatible(installation, release);
    const { version, commit, made_at, migrations } = release;
    const current = await currentOf(base);
    const known = await migrationsIn(current);
    const fresh = migrations.filter((name) => !known.includes(name)).length;
    say(
      `${version} of ${made_at.slice(0, 10)} (${commit.slice(0, 12)}): signed, ${Object.keys(release.files).length} files, ` +
        `${fresh === 0 ? 'no change' : fresh === 1 ? '1 change' : `${fresh} changes`} of the database.`,
    );
    await requireSpace(installation, release);
    if (input.options.check === true) return true;
    // Without a service the admin has to stop the server: report that before all the work.
    if (!hasService(base)) await serviceOf(installation).stop();
    return report(
      installation,
      await installRelease(dependenciesOf(installation, input, file, keys), release),
    );
  } finally {
    if (temporary) await rm(file, { force: true });
  }
}

const ON_POSTGRES =
  'This works on a vault whose database is a file. This one’s is in PostgreSQL: make a backup, unpack the new version beside the old one and start it with the same settings. ' +
  'Where several processes serve the vault, stop the old ones after that; otherwise before. The first start brings the database to its version.';

export const update: Command = {
  summary: 'bring this installation to a newer release, and back by itself when that does not work',
  args: [],
  user: 'itself',
  more: ['ARCHIVE, its address, "status", "back" or "finish"'],
  options: {
    check: { type: 'boolean' },
    'without-backup': { type: 'boolean' },
    'lose-data': { type: 'boolean' },
  },
  help: `Checks the signature of a release archive and each file in it, makes a backup where backups are set up, builds the version
beside the one that runs, tries it on the documents where nobody reaches it, switches to it and watches it. When it does not
work, the version of before runs again with its database. After a power failure in the middle the next boot of a service, or
"update" without an archive, ends what was begun.

  update status      which version runs, and what the last update did
  update back        the version of before, with what was done since; changes of the database are undone by their ways down
  update finish      ends one that was cut short, and says nothing where none was; the machine does that at each boot
  --check            only check the archive, and whether it fits here
  --without-backup   make only the copy of the database
  --lose-data        go back although some of what the firms have is deleted by it; without it, that is only listed`,

  async run(input) {
    const env = withServiceSettings(input.env);
    const config = readConfig(env);
    databaseOf(config.dataDir, ON_POSTGRES);
    const here = { base: baseOf(PROGRAM), env, config, say: input.say };
    if (input.args[0] === 'status') return status(here);
    if (hasService(here.base) && process.getuid?.() !== 0)
      throw new Refused('This needs root: put sudo before it.');
    if (input.args[0] === 'finish') {
      const record = await recordsOf(config.dataDir).read();
      if (!record || !isUnderWay(record)) return true;
    }
    // Ask for the passphrase now: later nobody may be at the terminal any more.
    const open = await unlocked(config, askAdmin(config));
    const key = open.masterKey ? { MASTER_KEY: open.masterKey } : {};
    const installation: Installation = { ...here, config: open, env: { ...env, ...key } };
    const mask = process.umask(0o022);
    try {
      const well = await withUpdateLock(installation, () => run(installation, input));
      await sayKept(installation);
      return well;
    } catch (error) {
      throw error instanceof BadRelease ? new Refused(error.message) : error;
    } finally {
      process.umask(mask);
    }
  },
};
