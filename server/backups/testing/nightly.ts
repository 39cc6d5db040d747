import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Actor } from '#server/actor.ts';
import { DATABASE_FILE } from '../../../knexfile.ts';
import { readConfig } from '../../config/config.ts';
import type { Config } from '../../config/config.ts';
import { openDataDir } from '../../datadir/datadir.ts';
import type { DataDir } from '../../datadir/datadir.ts';
import { deletionLockOf } from '../../datadir/deletion-lock.ts';
import type { Services } from '../../services.ts';
import { compose } from '../../services.ts';
import type { Build } from '../../testing/build.ts';
import { createBuild } from '../../testing/build.ts';
import { cheapPasswords } from '../../testing/passwords.ts';
import { migratedFile } from '../../testing/template.ts';
import type { BackupWork } from '../work.ts';

/** A vault on the disk with a folder for its nightly backups, and a clock that the test sets. */
export interface NightlyWorld extends DataDir {
  scratch: string;
  place: string;
  config: Config;
  services: Services;
  work: BackupWork;
  build: Build;
  admin: Actor;
  now(): Date;
  at(moment: string): void;
  /** Stops the server and deletes everything. */
  end(): Promise<void>;
}

export async function nightlyWorld(): Promise<NightlyWorld> {
  const scratch = await mkdtemp(join(tmpdir(), 'almirah-nightly-'));
  const [dataDir, place] = [join(scratch, 'data'), join(scratch, 'place')];
  await mkdir(place);
  const config = readConfig({
    DATA_DIR: dataDir,
    BACKUP_DIR: place,
    BACKUP_KEEP: '2d 1w 2m',
    TRASH_DAYS: '0',
  });
  const log = pino({ level: 'silent' });
  await mkdir(dataDir, { mode: 0o700 });
  // A migrated database, since the migrations would take far longer.
  await copyFile(await migratedFile(), join(dataDir, DATABASE_FILE));
  const vault = await openDataDir(config, log);
  let now = new Date('2026-11-22T12:00:00Z');
  const clock = () => now;
  const services = compose({
    ...vault,
    log,
    clock,
    passwords: cheapPasswords,
    config: { ...config, abuseLimits: false },
    deletionLock: deletionLockOf(dataDir),
    backups: { ...config, settings: config.backups },
  });
  const build = createBuild({ ...vault, services });
  const admin = (await build.account()).actor;
  const at = (moment: string) => {
    now = new Date(moment);
  };
  async function end(): Promise<void> {
    await services.stop();
    await vault.close();
    await rm(scratch, { recursive: true });
  }
  const work = services.backups.work!;
  return { ...vault, scratch, place, config, services, build, admin, now: clock, at, work, end };
}
