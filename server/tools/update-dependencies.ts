import type { KeyObject } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { takeSnapshot, hasSnapshot, restoreSnapshot, dropSnapshot } from '../datadir/update-snapshot.ts';
import { lockDataFolder } from '../datadir/lock.ts';
import { findPageKey } from '../datadir/page-key.ts';
import { openRelease } from '../updates/archive.ts';
import { currentOf } from '../updates/layout.ts';
import { recordsOf } from '../updates/record.ts';
import type { Service, UpdateDependencies } from '../updates/update.ts';
import { asOwner, ownerOf } from './as-owner.ts';
import type { CommandInput } from './command.ts';
import { Refused } from './refused.ts';
import { prepare } from './update-ready.ts';
import { hasService, noService, systemdService } from './update-service.ts';
import { runTrial } from './update-trial.ts';

/** The installation that the update commands work on. */
export interface Installation {
  base: string;
  env: CommandInput['env'];
  config: Config;
  say: CommandInput['say'];
}

/** Runs a command of the current version, as the owner of the data folder. */
export async function runAdmin({ base, env, config }: Installation, args: string[]): Promise<boolean> {
  const program = await currentOf(base);
  const child = spawn(
    join(program, 'node_modules/node/bin/node'),
    [join(program, 'server/tools/admin.ts'), ...args],
    {
      cwd: program,
      env: { ...env, DATA_DIR: config.dataDir },
      stdio: ['ignore', 'inherit', 'inherit'],
      ...ownerOf(config.dataDir),
    },
  );
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}

export const serviceOf = ({ base, config }: Installation): Service =>
  hasService(base) ? systemdService(config) : noService(config);

/** Dependencies of an update of this installation. @param archive null when none is unpacked. */
export function dependenciesOf(
  installation: Installation,
  input: CommandInput,
  archive: string | null,
  keys: readonly KeyObject[],
): UpdateDependencies {
  const { base, env, config, say } = installation;
  const { dataDir } = config;
  const withLock = (work: () => Promise<void>) =>
    asOwner(dataDir, async () => {
      const release = await lockDataFolder(dataDir);
      await work().finally(release);
    });
  return {
    base,
    records: {
      ...recordsOf(dataDir),
      write: (record) => asOwner(dataDir, () => recordsOf(dataDir).write(record)),
    },
    service: serviceOf(installation),
    snapshot: {
      takeSnapshot: () => withLock(async () => takeSnapshot(dataDir, await findPageKey(config))),
      hasSnapshot: () => hasSnapshot(dataDir),
      restoreSnapshot: (how) => withLock(() => restoreSnapshot(dataDir, how)),
      dropSnapshot: () => asOwner(dataDir, () => dropSnapshot(dataDir)),
    },
    unpack: (folder) => openRelease(archive!, keys, folder),
    prepare: async (folder, from) => prepare(folder, from),
    backup:
      config.backups && input.options['without-backup'] !== true
        ? async () => {
            if (!(await runAdmin(installation, ['backups', 'run'])))
              throw new Refused(
                'No backup could be made, so nothing was changed. --without-backup goes on all the same; a copy of the database is made in any case.',
              );
          }
        : null,
    runTrial: (folder) =>
      runTrial(folder, { settings: { ...env, DATA_DIR: dataDir }, owner: ownerOf(dataDir) }),
    now: () => new Date(),
    say,
    reachedStep: () => {},
  };
}
