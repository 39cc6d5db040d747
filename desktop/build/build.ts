import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Platform } from '#server/desktop/contract.ts';
import { bundle } from './bundle.ts';
import { describeExe } from './describe.ts';
import { drawProgramIcon } from './icon.ts';
import program from './packages/package.json' with { type: 'json' };
import { release } from './release.ts';

/*
 * `npm run build:desktop`: builds Almirah Uploader for Windows and Linux, on Linux x64, from npm packages and Debian's `nsis`
 * and `xz-utils`. The build is reproducible. `npm start` needs none of it.
 */
const root = join(import.meta.dirname, '../..');
const here = import.meta.dirname;
const out = join(root, 'dist-desktop');
const work = join(out, 'work');
const icon = join(work, 'program.ico');
/** A fixed timestamp for all files, to make the build reproducible. */
const FIXED_TIME = new Date(Date.UTC(2026, 0, 1));
const epoch = { SOURCE_DATE_EPOCH: String(FIXED_TIME.getTime() / 1000), TZ: 'UTC', LC_ALL: 'C' };

const SYSTEMS = {
  'win-x64': { os: 'win32', node: 'node.exe' },
  'linux-x64': { os: 'linux', node: 'node' },
} as const;

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
function run(command: string, args: string[], cwd = root): void {
  const { status, error } = spawnSync(command, args, {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...epoch },
  });
  if (error)
    throw new Error(
      `${command} cannot be run (${error.message}). Install it: apt-get install ${packageOf(command)}`,
    );
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}.`);
}
const packageOf = (command: string) => ({ makensis: 'nsis', xz: 'xz-utils' })[command] ?? command;

/**
 * The Node runtime of a platform, by the lock file. One folder per platform, since npm installs only one
 * platform per folder.
 */
async function runtime(platform: Platform): Promise<string> {
  const { os, node } = SYSTEMS[platform];
  const folder = join(out, 'runtimes', platform);
  const binary = join(folder, 'node_modules', `node-${platform}`, 'bin', node);
  const installedLock = join(folder, 'package-lock.json');
  const lock = await readFile(join(here, 'packages/package-lock.json'));
  if (existsSync(binary) && existsSync(installedLock) && lock.equals(await readFile(installedLock)))
    return binary;
  await mkdir(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    await copyFile(join(here, 'packages', file), join(folder, file));
  run(
    'npm',
    ['ci', `--os=${os}`, '--cpu=x64', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    folder,
  );
  return binary;
}

/** Builds a single executable from the runtime and our code, by means of this machine's runtime. */
async function executable(platform: Platform, linux: string, base: string): Promise<string> {
  const windows = platform === 'win-x64';
  const folder = join(out, 'programs', platform);
  await mkdir(folder, { recursive: true });
  const output = join(folder, windows ? 'almirah-uploader.exe' : 'almirah-uploader');
  const config = join(work, `${platform}.json`);
  // A path relative to the work folder: the executable stores it, and must not reveal where it was built.
  const { files } = await bundle(work, join(out, 'runtimes/linux-x64'));
  const described = async () => {
    const icons = await drawProgramIcon(join(root, 'site/public/favicon.svg'), icon, out);
    return describeExe(base, join(work, 'described.exe'), { ...program, icons }, out);
  };
  await writeFile(
    config,
    JSON.stringify({
      main: 'main.cjs',
      mainFormat: 'commonjs',
      executable: windows ? await described() : base,
      output,
      disableExperimentalSEAWarning: true,
      useSnapshot: false,
      useCodeCache: false,
      execArgv: ['--disable-warning=ExperimentalWarning'],
      execArgvExtension: 'none',
      assets: files,
    }),
  );
  run(linux, ['--build-sea', config], work);
  await utimes(output, FIXED_TIME, FIXED_TIME);
  return output;
}

async function main(): Promise<void> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('Almirah Uploader is built on Linux x64.');
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { recursive: true });
  say('Fetching the runtimes …');
  const linux = await runtime('linux-x64');
  const windows = await runtime('win-x64');
  const only = process.argv.includes('--linux');
  say('Building for Linux …');
  const elf = await executable('linux-x64', linux, linux);
  if (only) return say(elf);
  say('Building for Windows …');
  const exe = await executable('win-x64', linux, windows);
  const { version } = program;
  say('Packing; this takes a few minutes of one processor …');
  const setup = `Almirah-Uploader-${version}-Setup.exe`;
  run('makensis', [
    '-V2',
    `-DVERSION=${version}`,
    `-DEXE=${exe}`,
    `-DICON=${icon}`,
    `-DOUT=${join(out, setup)}`,
    join(here, 'setup.nsi'),
  ]);
  const packed = `almirah-uploader-${version}-linux-x64.xz`;
  const pack = spawnSync('sh', ['-c', 'exec xz -6 -T1 -k -c "$1" > "$2"', 'sh', elf, join(out, packed)], {
    stdio: 'inherit',
  });
  if (pack.status !== 0) throw new Error('xz cannot be run. Install it: apt-get install xz-utils');
  await release(out, version, [
    { platform: 'win-x64', kind: 'setup', file: setup },
    { platform: 'win-x64', kind: 'update', file: setup },
    { platform: 'linux-x64', kind: 'setup', file: packed },
    { platform: 'linux-x64', kind: 'update', file: packed },
  ]);
  await rm(work, { recursive: true, force: true });
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
