import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { readConfig } from '#server/config/config.ts';
import { vaultDeletionLock } from '#server/serving/updates.ts';
import type { Services } from '#server/services.ts';
import { compose } from '#server/services.ts';
import type { Build } from './build.ts';
import { createBuild } from './build.ts';
import type { DataDir } from '#server/datadir/datadir.ts';
import { openDataDir } from '#server/datadir/datadir.ts';
import type { Command } from '#server/tools/command.ts';

/** Test fixture for commands: services with an actor, over a data folder of its own. */
export interface Office extends DataDir {
  scratch: string;
  dataDir: string;
  services: Services;
  build: Build;
  actor: Actor;
}

const log = pino({ level: 'silent' });

/** Opens an office before each test, and closes it afterwards. */
export function eachOffice(test: Test<Office>, { trashDays = 0 } = {}): void {
  test.before.each(async (office) => {
    const scratch = await mkdtemp(join(tmpdir(), 'almirah-backup-'));
    const dataDir = join(scratch, 'data');
    const vault = await openDataDir(readConfig({ DATA_DIR: dataDir }), log);
    const deletionLock = vaultDeletionLock(dataDir);
    const services = compose({
      ...vault,
      log,
      clock: () => new Date(),
      config: { abuseLimits: false, trashDays },
      deletionLock,
    });
    const build = createBuild({ ...vault, services });
    Object.assign(office, vault, { scratch, dataDir, services, build, actor: await build.actor() });
  });
  test.after.each(async (office) => {
    await office.services.stop();
    await office.close();
    await rm(office.scratch, { recursive: true });
  });
}

/** Runs a command like the command line does. */
export async function run(command: Command, dataDir: string, args: string[] = [], options = {}) {
  const lines: string[] = [];
  const env = { DATA_DIR: dataDir };
  const sound = await command.run({ args, options, env, say: (line) => lines.push(line) });
  return { sound, said: lines.join('\n') };
}

export async function refused(
  command: Command,
  dataDir: string,
  args: string[],
  message: RegExp,
  options = {},
) {
  await run(command, dataDir, args, options).then(
    () => assert.unreachable(`expected ${message}`),
    (error: Error) => assert.match(error.message, message),
  );
}

/** The path of the file that holds an item's bytes. */
export async function objectOf({ services, actor, dataDir }: Office, id: number): Promise<string> {
  const { blob_id } = await services.documents.openFile(actor, id);
  return join(dataDir, 'blobs', blob_id.slice(0, 2), blob_id.slice(2));
}
