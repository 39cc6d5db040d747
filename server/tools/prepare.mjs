// Prepares a fresh clone. Runs on Node 20.19 or newer before any package is installed, so it imports none. An
// older Node gets as far as the error message about its version.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSqlite, REBUILD, SQLITE_PARTS } from './build-sqlite.mjs';

const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../..');
const bin = (name) => join(root, 'node_modules/.bin', name);
/** The project's own Node, whatever the machine has. */
export const node = bin('node');

function say(text) {
  process.stderr.write(`${text}\n`);
}

function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], ...options });
  return !error && status === 0;
}

/** Tests and their helpers, of which nothing is built. */
const TESTS = /\.test\.ts$|\/(?:testing|e2e)$/;

/** One hash over `describe` of each file in these files and folders, without tests; a missing path counts as empty. */
function hashOf(folder, paths, describe) {
  const hash = createHash('sha256');
  const add = (path) => {
    if (TESTS.test(path)) return;
    const stat = statSync(join(folder, path), { throwIfNoEntry: false });
    if (!stat) return;
    if (stat.isDirectory()) {
      // The machine's Node may be 20.
      // oxlint-disable-next-line unicorn/no-array-sort
      for (const name of readdirSync(join(folder, path)).sort()) add(`${path}/${name}`);
    } else
      hash
        .update(path)
        .update('\0')
        .update(describe(join(folder, path), stat));
  };
  paths.forEach(add);
  return hash.digest('hex');
}

const fingerprint = (folder, paths) => hashOf(folder, paths, (file) => readFileSync(file));
/** A quarter of the work of `fingerprint`, and enough to see that nothing was touched. */
const glance = (folder, paths) =>
  hashOf(folder, paths, (_file, { size, mtimeMs, ctimeMs, ino }) => `${size} ${mtimeMs} ${ctimeMs} ${ino}\n`);

/**
 * Replaces the file: versions share package files as hard links, and writing in place would change the other
 * version's.
 */
function note(file, text) {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

/**
 * Compares files with the stamp of what was made of them. Its first line is the hash of their content, the second the hash of sizes and
 * times, so that content is only read again when a file was touched.
 * @returns {{ file: string, done: boolean, text?: string }} `text` for the stamp, if it should change.
 */
function compare(stamp, paths, folder) {
  const file = join(folder, stamp);
  const [content, touched] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const seen = glance(folder, paths);
  if (touched === seen) return { file, done: true };
  const now = fingerprint(folder, paths);
  return { file, done: content === now, text: `${now}\n${seen}` };
}

/** Runs `work` unless `stamp` says that it was done for this content. */
export function once(stamp, paths, work, folder = root) {
  const { file, done, text } = compare(stamp, paths, folder);
  if (!done) work();
  if (text) note(file, text);
}

/** Whether `stamp` says that the work was done for this content. Files that were only touched are noted, by a user who may. */
export function isDone(stamp, paths, folder = root) {
  const { file, done, text } = compare(stamp, paths, folder);
  try {
    if (done && text) note(file, text);
  } catch {
    // It is compared again the next time.
  }
  return done;
}

/**
 * With an older Node, npm skips packages that need a newer one, and the build fails much later.
 * @param {string} version as in `process.versions.node`
 * @returns {string | null} what to do; null when it is new enough.
 */
export function tooOld(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const enough = major === 20 ? minor >= 19 : major === 22 ? minor >= 12 : major > 22;
  if (enough) return null;
  return `This needs Node 20.19, 22.12 or newer; here is ${version}. npm brings one: sudo npm install -g node@24 (then open a new terminal).`;
}

/** Installs Debian packages, as root or by sudo without a password. */
function aptInstall(packages) {
  const [command, ...first] = process.getuid?.() === 0 ? ['apt-get'] : ['sudo', '-n', 'apt-get'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  run(command, [...first, 'update', '-qq'], { env });
  // Another may be installing, such as Chromium beside the packages.
  const lockOptions = ['-o', 'DPkg::Lock::Timeout=600'];
  return run(
    command,
    [...first, ...lockOptions, 'install', '-y', '-qq', '--no-install-recommends', ...packages],
    { env },
  );
}

/** The only packages, besides SQLite, whose install scripts run; `.npmrc` forbids all. */
const SCRIPTED = ['node', 'esbuild'];

/** Hash of the required packages; a new version of this program alone does not change it. */
export function wantedPackages(folder) {
  const read = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const { dependencies, devDependencies, overrides } = read('package.json');
  const { packages } = read('package-lock.json');
  const wanted = [dependencies, devDependencies, overrides, { ...packages, '': null }];
  return createHash('sha256').update(JSON.stringify(wanted)).digest('hex');
}

/** Development packages are skipped unless `all` is set or they are installed already. */
function installPackages(all) {
  const file = join(root, 'node_modules/.installed');
  const packages = wantedPackages(root);
  const installed = existsSync(file) ? readFileSync(file, 'utf8') : '';
  // The format of earlier versions.
  const before = fingerprint(root, ['package.json', 'package-lock.json']);
  const has = (what) => installed === `${packages} ${what}` || installed === `${before} ${what}`;
  if (!has('all') && (all || !has('production'))) {
    say('Installing packages. The first time takes a minute or two.');
    // npm warns of each package that is made for a newer Node than the machine's, which runs none of them.
    const command = ['ci', '--ignore-scripts', '--loglevel=error', ...(all ? [] : ['--omit=dev'])];
    if (!run('npm', command) || !run('npm', [...REBUILD, ...SCRIPTED])) {
      say('The packages could not be installed; the reason stands above. Run this again to try again.');
      process.exit(1);
    }
    note(file, `${packages} ${all ? 'all' : 'production'}`);
  }
}

function installSqlite() {
  say('Building SQLite with its encryption, which takes a minute.');
  if (buildSqlite(root)) return;
  say('That failed. It takes a compiler; installing one.');
  if (aptInstall(['python3', 'make', 'g++']) && buildSqlite(root)) return;
  say('SQLite could not be built. Install python3, make and g++, then run this again.');
  process.exit(1);
}

const BUILT = 'dist/.built';
/** What `dist` is built from. */
const SOURCES = ['site', 'server', 'storage', 'knexfile.ts', 'astro.config.mjs', 'package-lock.json'];

/** Whether `dist` was built from the sources as they are. */
export const isBuilt = () => isDone(BUILT, SOURCES);

function buildProgram() {
  once(BUILT, SOURCES, () => {
    say('Building the pages and the server.');
    try {
      // Whatever the environment is for, React is built for use and not for its development.
      const env = { ...process.env, NODE_ENV: 'production' };
      execFileSync(node, [bin('astro'), 'build', '--silent'], { cwd: root, stdio: ['ignore', 2, 2], env });
      for (const step of ['compress', 'bundle'])
        execFileSync(node, [join(root, `server/tools/${step}.ts`)], { cwd: root, stdio: ['ignore', 2, 2] });
    } catch {
      say('The pages and the server could not be built; the reason stands above.');
      process.exit(1);
    }
  });
}

/** Modules that run in the processes that parse files; those start often, so their code is compiled in advance. */
const READERS = [
  'sandbox',
  'previews',
  'reading',
  'masking',
  'uploads/pages-to-pdf',
  'sheets',
  'recognition',
];

function compileReaders() {
  const parts = [...READERS.map((room) => `server/${room}`), 'package-lock.json'];
  once('node_modules/.readers', parts, () => {
    if (!run(node, [join(root, 'server/sandbox/precompile.ts')]))
      say('What reads files was not compiled beforehand: first previews take a little longer.');
  });
}

// Without windows to draw, the shell takes a third less of the processor than the whole browser.
const SHELL = '/usr/bin/chromium-headless-shell';
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

function installChromium() {
  if (process.env.PUPPETEER_EXECUTABLE_PATH || existsSync(SHELL)) return;
  say('Installing Chromium for the browser tests.');
  if (aptInstall(['chromium-headless-shell'])) return;
  if (BROWSERS.some((path) => existsSync(path)) || aptInstall(['chromium'])) return;
  say('Chromium could not be installed. Install it, or set PUPPETEER_EXECUTABLE_PATH, then run this again.');
  process.exit(1);
}

/** @param {'start' | 'dev' | 'test' | 'check' | 'chromium'} goal */
export function prepare(goal) {
  const old = tooOld(process.versions.node);
  if (old) {
    say(old);
    process.exit(1);
  }
  if (goal === 'chromium') return installChromium();
  installPackages(goal !== 'start');
  // Types, lint and the uploader need no database.
  if (goal !== 'check') once('node_modules/sqlite3/.sealing', SQLITE_PARTS, installSqlite);
  if (goal === 'test') installChromium();
  if (goal === 'start' || goal === 'test') {
    compileReaders();
    buildProgram();
  }
}

const goal = process.argv[2];
if (process.argv[1]?.endsWith('prepare.mjs') && goal) prepare(goal);
