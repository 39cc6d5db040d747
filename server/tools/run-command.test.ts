import { chmod, chown, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Command, CommandInput, User } from './command.ts';
import { Refused } from './refused.ts';
import { runCommand } from './run-command.ts';

interface World {
  scratch: string;
  dataDir: string;
  /** In place of /etc/almirah.env. */
  settings: string;
  run(env: CommandInput['env'], part: Partial<Command>, file?: string): Promise<boolean>;
}

const test = suite<World>('a command on a machine with an installed service');
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

test.before.each(async (world) => {
  world.scratch = await mkdtemp(join(tmpdir(), 'almirah-command-'));
  // The service's user must be able to enter this folder.
  await chmod(world.scratch, 0o755);
  world.dataDir = join(world.scratch, 'data');
  await mkdir(world.dataDir, { mode: 0o700 });
  world.settings = join(world.scratch, 'almirah.env');
  await writeFile(world.settings, `DATA_DIR="${world.dataDir}"\nPORT="8443"\nAPP_NAME="Rao's vault"\n`);
  world.run = (env, part, file = world.settings) => {
    const command: Command = { summary: '', help: '', args: [], options: {}, run: async () => true, ...part };
    return runCommand(command, { args: [], options: {}, env, say: () => {} }, file);
  };
});
test.after.each(({ scratch }) => rm(scratch, { recursive: true }));

test('a command uses the data folder and settings of the service, and explicit settings take precedence', async ({
  run,
  dataDir,
}) => {
  const seen: CommandInput['env'][] = [];
  const look: Partial<Command> = { run: async ({ env }) => (seen.push(env), true) };
  await run({ PORT: '1' }, look);
  assert.equal(seen.pop(), { DATA_DIR: dataDir, PORT: '1', APP_NAME: "Rao's vault" });
  await run({ DATA_DIR: '/srv/other' }, look);
  assert.equal(seen.pop(), { DATA_DIR: '/srv/other' }, 'another vault has nothing of the service');
  await run({}, { ...look, user: 'itself' });
  assert.equal(seen.pop(), {}, 'install asks for the settings that it writes');
  await run({}, look, '/nowhere/almirah.env');
  assert.equal(seen.pop(), {}, 'where no service is set up');
});

test('unreadable settings of the service are an error, so that no other folder is mistaken for the vault', async ({
  run,
  scratch,
}) => {
  const error: unknown = await run({}, {}, scratch).catch((reason: unknown) => reason);
  assert.instance(error, Refused);
  assert.match((error as Refused).message, /cannot be read \(EISDIR\)\. Put sudo before the command/);
});

if (isRoot)
  test('files that root creates in the data folder belong to the user of the service', async ({
    run,
    dataDir,
    scratch,
  }) => {
    await chown(dataDir, NOBODY, NOBODY);
    const make = (user: User, name: string, after = async () => {}) => ({
      user,
      run: async () => {
        await writeFile(join(dataDir, name), '');
        await after();
        return true;
      },
    });
    const ownerIn = async (folder: string, name: string) => (await stat(join(folder, name))).uid;
    await run({}, make('owner', 'a'));
    assert.is(await ownerIn(dataDir, 'a'), NOBODY);
    const fails = make('owner', 'b', () => writeFile(join(scratch, 'of-root'), ''));
    assert.match(
      String(await run({}, fails).catch(String)),
      /EACCES/,
      'it has no more rights than the service',
    );
    assert.is(process.geteuid!(), 0, 'and gives them back also when it fails');
    await run(
      {},
      make('caller', 'c', () => writeFile(join(scratch, 'of-root'), '')),
    );
    assert.is(await ownerIn(dataDir, 'c'), NOBODY);
    assert.is(await ownerIn(scratch, 'of-root'), 0, 'a backup goes where the caller may write');
  });
else process.stdout.write('SKIPPED: whose the files are takes root\n');

test.run();
