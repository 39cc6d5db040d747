import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../datadir/database.ts';
import { takeSnapshot, hasSnapshot, restoreSnapshot, dropSnapshot } from '../../datadir/update-snapshot.ts';
import { lockDataFolder } from '../../datadir/lock.ts';
import { openRelease } from '../archive.ts';
import { currentOf, migrationsIn, versionIn } from '../layout.ts';
import { packRelease } from '../pack.ts';
import { recordsOf } from '../record.ts';
import type { Release } from '../release.ts';
import { readKeys } from '../release.ts';
import { resumeBeforeOpening, resumeWhenReady } from '../resume.ts';
import type { UpdateDependencies } from '../update.ts';

export const OLD = '1.0.0';
export const NEW = '1.1.0';
/** File names that make the new version fail: in its trial, or later. */
export const BROKEN = { tried: 'broken-when-tried', later: 'broken-later' };

export interface Folders {
  base: string;
  dataDir: string;
  archive: string;
  key: string;
}

export const makeKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x } = publicKey.export({ format: 'jwk' });
  return { privateKey, key: Buffer.from(x!, 'base64url').toString('base64') };
};

/**
 * Writes the parts of a version that matter for an update: its package.json and migrations.
 * @returns its paths.
 */
export async function writeVersion(
  folder: string,
  version: string,
  migrations: readonly string[],
  more: readonly string[] = [],
): Promise<string[]> {
  await mkdir(join(folder, 'migrations'), { recursive: true });
  const files = ['package.json', ...migrations.map((name) => `migrations/${name}`), ...more];
  for (const file of files)
    await writeFile(join(folder, file), file === 'package.json' ? JSON.stringify({ version }) : 'x');
  return files;
}

/** An installation of one version with a vault, and an archive of the next. */
export async function makeInstallation(broken?: string): Promise<Folders & { remove(): Promise<void> }> {
  const scratch = await mkdtemp(join(tmpdir(), 'almirah-update-'));
  const [base, dataDir, next] = ['base', 'data', 'next'].map((name) => join(scratch, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(dataDir);
  await writeVersion(base, OLD, ['1_first.ts']);
  const files = await writeVersion(next, NEW, ['1_first.ts', '2_second.ts'], broken ? [broken] : []);
  const { privateKey, key } = makeKey();
  const archive = join(scratch, 'almirah.tar.gz');
  const facts = { version: NEW, node: 20, commit: 'c0ffee', made_at: '2026-11-23T00:00:00.000Z' };
  const migrations = await migrationsIn(next);
  await packRelease(next, files, archive, { ...facts, migrations }, privateKey);
  const db = openDatabase(dataDir);
  await db.raw('CREATE TABLE papers (name TEXT)');
  await db.raw('PRAGMA user_version = 1');
  await db('papers').insert({ name: 'Form 16' });
  await db.destroy();
  return { base, dataDir, archive, key, remove: () => rm(scratch, { recursive: true }) };
}

/** The content of a vault: schema version and papers. */
export async function vaultOf(dataDir: string): Promise<{ form: number; papers: string[] }> {
  const db = openDatabase(dataDir);
  try {
    const [{ user_version: form }] = await db.raw('PRAGMA user_version');
    return { form, papers: await db('papers').pluck('name') };
  } finally {
    await db.destroy();
  }
}

const snapshotOf = (dataDir: string) => ({
  hasSnapshot: () => hasSnapshot(dataDir),
  restoreSnapshot: (how: { keep: boolean }) => restoreSnapshot(dataDir, how),
  dropSnapshot: () => dropSnapshot(dataDir),
});

/** Opens the data folder like a version of the program, and migrates it to that version. */
async function open(folder: string, dataDir: string, work: (version: string) => Promise<void>) {
  const release = await lockDataFolder(dataDir);
  const version = (await versionIn(folder))!;
  const start = { records: recordsOf(dataDir), version, now: () => new Date() };
  const snapshot = snapshotOf(dataDir);
  try {
    await resumeBeforeOpening(start, snapshot);
    const own = (await migrationsIn(folder)).length;
    const db = openDatabase(dataDir);
    try {
      const [{ user_version: form }] = await db.raw('PRAGMA user_version');
      if (form > own) throw new Error('This database was made by a newer Almirah');
      if (form < own) await db.raw('ALTER TABLE papers ADD COLUMN seen');
      if (form < own) await db.raw(`PRAGMA user_version = ${own}`);
    } finally {
      await db.destroy();
    }
    await work(version);
  } finally {
    await release();
  }
}

/** Boots the machine: the current version starts and is used. @returns that version. */
export async function boot({ base, dataDir }: Folders, paper?: string): Promise<string> {
  const folder = await currentOf(base);
  let ran = '';
  await open(folder, dataDir, async (version) => {
    if (existsSync(join(folder, BROKEN.later))) throw new Error('It fell over.');
    ran = version;
    const start = { records: recordsOf(dataDir), version, now: () => new Date() };
    await resumeWhenReady(start, snapshotOf(dataDir), async () => false);
    if (paper === undefined) return;
    const db = openDatabase(dataDir);
    await db('papers').insert({ name: paper });
    await db.destroy();
  });
  return ran;
}

/** @param reachedStep called with each step. */
export function dependenciesOf(
  folders: Folders,
  reachedStep: (step: string) => void = () => {},
): UpdateDependencies {
  const { base, dataDir, archive, key } = folders;
  const withLock = async (work: () => Promise<void>) => {
    const release = await lockDataFolder(dataDir);
    await work().finally(release);
  };
  const snapshot = snapshotOf(dataDir);
  let failure: unknown = null;
  return {
    base,
    records: recordsOf(dataDir),
    service: {
      stop: async () => {},
      async start() {
        const folder = await currentOf(base);
        failure = null;
        await open(folder, dataDir, async () => {
          if (existsSync(join(folder, BROKEN.later))) failure = new Error('It fell over.');
        });
      },
      async watch() {
        if (failure) throw failure as Error;
      },
    },
    snapshot: {
      ...snapshot,
      takeSnapshot: () => withLock(() => takeSnapshot(dataDir, undefined)),
      restoreSnapshot: (how) => withLock(() => snapshot.restoreSnapshot(how)),
    },
    unpack: (folder): Promise<Release> => openRelease(archive, readKeys(key), folder),
    prepare: async () => {},
    backup: null,
    runTrial: (folder) =>
      open(folder, dataDir, async () => {
        if (existsSync(join(folder, BROKEN.tried))) throw new Error('It cannot find its left shoe.');
      }),
    now: () => new Date(),
    say: () => {},
    reachedStep,
  };
}
