import { resolve } from 'node:path';
import { readConfig } from '../config/config.ts';
import type { RunView } from '../backups/contract.ts';
import { readSnapshots } from '../backups/repository/manifest.ts';
import {
  MARKER,
  MarkerDamaged,
  readMarker,
  requireEmpty,
  writeMarker,
} from '../backups/repository/marker.ts';
import { openPlace } from '../backups/repository/open-place.ts';
import type { Place } from '../backups/repository/place.ts';
import { PlaceRefused } from '../backups/repository/place.ts';
import { verifyRepository } from '../backups/repository/verify.ts';
import { openVault } from '../services/backups-vault.ts';
import { plural } from '#server/text/plural.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import { momentInWords } from '#server/text/day-in-india.ts';
import { readUnlockedConfig, typedWords } from './ask-passphrase.ts';
import type { Command, CommandInput } from './command.ts';
import { readGiven } from './given-file.ts';
import { Refused } from './refused.ts';
import { refuseByHand, restoreBackup } from './backups-restore.ts';
import { withServices } from './services-alongside.ts';

/** The place of the backups: --from, or else BACKUP_DIR. */
function placeOf({ options, env }: CommandInput): Promise<Place> {
  const from = typeof options.from === 'string' ? options.from : undefined;
  const { backups } = readConfig(from === undefined ? env : { ...env, BACKUP_DIR: fullAddress(from) });
  if (!backups)
    throw new Refused(
      'Say where the backups are: set BACKUP_DIR as the server has it, or give --from PLACE.',
    );
  return openPlace(backups);
}

const fullAddress = (from: string): string => (from.startsWith('s3:') ? from : resolve(from));

/** The marker; `damaged` if it cannot be read, null if it is missing. */
const markerOf = (place: Place) =>
  readMarker(place).catch((error: unknown) => {
    if (error instanceof MarkerDamaged) return 'damaged' as const;
    throw error;
  });

async function list(input: CommandInput): Promise<boolean> {
  const place = await placeOf(input);
  const marker = await markerOf(place);
  const { snapshots, unreadable } = await readSnapshots(place);
  if (snapshots.length + unreadable.length === 0) {
    await refuseByHand(place);
    input.say(`There are no backups in ${place.address}.`);
    return false;
  }
  for (const { moment, at, manifest } of snapshots) {
    const { files, blobs, database, left_out } = manifest;
    const without = left_out.length > 0 ? `, WITHOUT ${left_out.length} damaged or missing` : '';
    input.say(
      `${moment}  ${momentInWords(at)}  ${files.files} files, ${formatBytes(blobs.bytes + database.bytes)}${without}  key ${manifest.key}`,
    );
  }
  for (const moment of unreadable) input.say(`${moment}  DAMAGED: its manifest cannot be read`);
  const isMarked = marker !== null && marker !== 'damaged';
  if (!isMarked)
    input.say(
      `WRONG: ${MARKER}, which says whose backups these are, is ${marker ?? 'missing'}. They can be restored. To continue them, run "npm run admin -- backups adopt".`,
    );
  return isMarked && unreadable.length === 0;
}

function report({ say }: CommandInput, { status, message, faults }: RunView): boolean {
  say(message);
  for (const fault of faults) say(`WRONG: ${fault}`);
  return status === 'done';
}

const NOT_SET =
  'Set BACKUP_DIR to where the backups are to go: a folder on another disk, or s3://bucket/folder.';

/** Runs a nightly job now, beside the server. */
const work =
  (what: 'backup' | 'prove' | 'try') =>
  (input: CommandInput): Promise<boolean> =>
    withServices(input.env, async ({ backups }) => {
      if (!backups.work) throw new Refused(NOT_SET);
      const { signal } = new AbortController();
      if (what === 'try') return report(input, await backups.work.try(signal));
      if (what === 'backup') return report(input, await backups.work.backup(signal));
      return report(input, await backups.work.prove(signal, { all: input.options.all === true }));
    });

async function verify(input: CommandInput): Promise<boolean> {
  const place = await placeOf(input);
  const keys = await readUnlockedConfig(input.env)
    .then(openVault)
    .then(
      (vault) => vault.keys,
      () => null,
    );
  if (!keys)
    input.say('The key of the vault is not here, so it is not checked whether a manifest was altered.');
  const { snapshots, blobs, bytes, faults } = await verifyRepository(place, keys);
  for (const fault of faults) input.say(`WRONG: ${fault}`);
  const of = `${plural('en', snapshots, { one: '1 backup', other: '# backups' })} with ${plural('en', blobs, { one: '1 stored file', other: '# stored files' })}`;
  input.say(
    `${of} (${formatBytes(bytes)}): ${faults.length === 0 ? 'all that they name is there, of the right length' : `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`}. "backups prove --all" reads every byte.`,
  );
  return faults.length === 0;
}

/** Assigns a place to this vault: an empty one, or the place of the vault from which this one was restored. */
async function adopt(input: CommandInput): Promise<boolean> {
  const place = await placeOf(input);
  const vault = await openVault(await readUnlockedConfig(input.env));
  const marker = await markerOf(place);
  const { snapshots, unreadable } = await readSnapshots(place);
  const isEmpty = snapshots.length + unreadable.length === 0;
  if (!isEmpty && marker !== null && marker !== 'damaged' && marker.vault === vault.id) {
    input.say(`${place.address} is this vault's already.`);
    return true;
  }
  if (!marker && isEmpty) await requireEmpty(place);
  if (snapshots.length > 0 && !snapshots.some(({ manifest }) => manifest.key === vault.keys.id))
    throw new Refused(
      `The backups in ${place.address} are sealed with another key than this vault: they are another vault's. Nothing was changed.`,
    );
  await writeMarker(place, { vault: vault.id, made_at: new Date().toISOString() });
  input.say(
    `${place.address} is this vault's from now on. Make sure that no other server has it as its BACKUP_DIR any more.`,
  );
  return true;
}

/** The words of a recovery sheet, from a file or typed. */
async function wordsFrom({ options, say }: CommandInput): Promise<string | null> {
  if (typeof options.sheet === 'string') return (await readGiven('--sheet', options.sheet)).toString('utf8');
  return typeof options.key === 'string' || !process.stdin.isTTY ? null : typedWords(say);
}

async function restore(input: CommandInput): Promise<boolean> {
  const to = input.args[1];
  if (!to) throw new Refused('Say where to restore to: backups restore NEW_DATA_FOLDER');
  const place = await placeOf({ ...input, env: { ...input.env, DATA_DIR: resolve(to) } });
  return restoreBackup({ ...input, place, to: resolve(to), words: () => wordsFrom(input) });
}

interface Action {
  run: (input: CommandInput) => Promise<boolean>;
  /** The options that it takes, and the most arguments. */
  options: readonly string[];
  args?: number;
}

const ACTIONS: Record<string, Action> = {
  list: { run: list, options: ['from'] },
  run: { run: work('backup'), options: [] },
  prove: { run: work('prove'), options: ['all'] },
  try: { run: work('try'), options: [] },
  verify: { run: verify, options: ['from'] },
  adopt: { run: adopt, options: ['from'] },
  restore: { run: restore, options: ['from', 'at', 'sheet', 'key', 'read-data'], args: 1 },
};

/** @throws {Refused} for what the action would ignore: a backup would go elsewhere than was asked for. */
function refuseIgnored(name: string, { options, args = 0 }: Action, input: CommandInput): void {
  const ignored = Object.keys(input.options).find(
    (option) => option in backups.options && !options.includes(option),
  );
  if (ignored === 'from')
    throw new Refused(`"backups ${name}" takes no --from: it goes by BACKUP_DIR, as the server does.`);
  if (ignored) throw new Refused(`"backups ${name}" takes no --${ignored}.`);
  const extra = input.args[1 + args];
  if (extra !== undefined) throw new Refused(`"backups ${name}" does not take "${extra}".`);
}

export const backups: Command = {
  summary: 'nightly backups: list, run, prove, try, verify, adopt, restore',
  args: ['ACTION'],
  // What the others write is the service's; these read what the caller names, or make a folder of the caller's.
  user: ({ args: [action = ''] }) => (['list', 'verify', 'restore'].includes(action) ? 'caller' : 'owner'),
  more: ['NEW_DATA_FOLDER'],
  options: {
    from: { type: 'string' },
    at: { type: 'string' },
    sheet: { type: 'string' },
    key: { type: 'string' },
    all: { type: 'boolean' },
    'read-data': { type: 'boolean' },
  },
  help: `The backups that the server makes each night in BACKUP_DIR (README).

  list       what there is
  run        make one now, beside the server
  prove      read back the tenth whose turn it is and compare it; --all: everything
  try        bring the newest back into a scratch folder, look at it, and remove it
  verify     whether all that the backups name is there
  adopt      make an empty place, or that of a vault which was restored, this vault's own
  restore    make a data folder out of one, and verify it; it takes the recovery sheet

  --from PLACE   list, verify, adopt, restore: where they are, a folder or s3://bucket/folder; without it, BACKUP_DIR
  --at DATE      restore: the newest that is not later, in India: 2026-11-22 (with the whole day), 2026-11-22T18:30, or its
                 name in the list; without it, the newest of all, unless that is dated later than now
  --sheet FILE   restore: a text file with the words of the recovery sheet; without it, they are asked for
  --key FILE     restore: the master key as a file, in place of the words
  --read-data    restore: verify every byte too, which takes as long as reading all files`,

  async run(input) {
    const name = input.args[0]!;
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
    if (!action)
      throw new Refused(`There is no "backups ${name}". There are: ${Object.keys(ACTIONS).join(', ')}.`);
    refuseIgnored(name, action, input);
    try {
      return await action.run(input);
    } catch (error) {
      throw error instanceof PlaceRefused ? new Refused(error.message) : error;
    }
  },
};
