import { execFileSync } from 'node:child_process';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { migrationsIn } from '../updates/layout.ts';
import { packRelease } from '../updates/pack.ts';
import { version } from '../serving/version.ts';
import { Refused } from './refused.ts';
import { linkTree } from './update-ready.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const KEY = process.env.RELEASE_KEY_FILE || join(homedir(), '.config/almirah/release-key.pem');
/** A fixed folder for reproducible builds: the built pages contain the path of the folder in which they were built. */
const SCRATCH = '/tmp/almirah-release';
/** Files that are not needed to run the program. */
const LEFT_OUT = /\.test\.ts$|^(?:bench|\.ci|desktop|site\/e2e)\//;

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 }).trim();
const say = (line: string) => process.stdout.write(`${line}\n`);

function newKey(): void {
  if (existsSync(KEY)) throw new Refused(`${KEY} is there already; it is never replaced.`);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  mkdirSync(dirname(KEY), { recursive: true, mode: 0o700 });
  writeFileSync(KEY, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
  const { x } = publicKey.export({ format: 'jwk' });
  say(`The private key is in ${KEY}: keep it off the network, and a copy elsewhere.`);
  say('Its public key, a line for server/updates/release-keys.txt or RELEASE_KEYS:');
  say(Buffer.from(x!, 'base64url').toString('base64'));
}

/** All files below a folder, as paths relative to `root`. */
const filesBelow = (root: string, folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));

/**
 * Copies the files of a release to the scratch folder, and builds its pages.
 * @returns all paths.
 */
function layOut(): string[] {
  const files = git('ls-files')
    .split('\n')
    .filter((path) => !LEFT_OUT.test(path));
  rmSync(SCRATCH, { recursive: true, force: true });
  for (const path of files) {
    mkdirSync(dirname(join(SCRATCH, path)), { recursive: true });
    copyFileSync(join(ROOT, path), join(SCRATCH, path));
    chmodSync(join(SCRATCH, path), 0o644);
  }
  linkTree(join(ROOT, 'node_modules'), join(SCRATCH, 'node_modules'));
  say('Building the pages.');
  execFileSync(process.execPath, [join(SCRATCH, 'server/tools/prepare.mjs'), 'start'], {
    cwd: SCRATCH,
    stdio: ['ignore', 2, 2],
  });
  // The second line of the stamp depends on this disk.
  const stamp = join(SCRATCH, 'dist/.built');
  writeFileSync(stamp, `${readFileSync(stamp, 'utf8').split('\n')[0]}\n`);
  return [...files, ...filesBelow(SCRATCH, 'dist')];
}

async function make(out: string): Promise<void> {
  if (!existsSync(KEY))
    throw new Refused(
      `There is no private key ${KEY}. Set RELEASE_KEY_FILE, or make one with: npm run release -- --new-key`,
    );
  const changed = git('status', '--porcelain', '--untracked-files=all');
  if (changed) throw new Refused(`A release is made of what is committed. These files are not:\n${changed}`);
  const archive = join(out, `almirah-${version}.tar.gz`);
  if (existsSync(archive))
    throw new Refused(`${archive} is there already. Set another version in package.json.`);
  try {
    const files = layOut();
    const facts = {
      version,
      node: 20,
      commit: git('rev-parse', 'HEAD'),
      made_at: new Date(git('log', '-1', '--format=%cI')).toISOString(),
      migrations: await migrationsIn(SCRATCH),
    };
    const key = createPrivateKey(readFileSync(KEY));
    const sha256 = await packRelease(SCRATCH, files, archive, facts, key);
    say(`${archive}, ${files.length} files\nSHA-256 ${sha256}`);
  } finally {
    rmSync(SCRATCH, { recursive: true, force: true });
  }
}

const HELP = `npm run release -- [--out FOLDER]   makes a release of what is committed: almirah-VERSION.tar.gz, signed with
                                    RELEASE_KEY_FILE, in FOLDER or here
npm run release -- --new-key        makes the key that releases are signed with, once`;

function readOptions() {
  const options = {
    'new-key': { type: 'boolean' },
    out: { type: 'string' },
    help: { type: 'boolean' },
  } as const;
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new Refused(`${(error as Error).message}\n\n${HELP}`);
  }
}

try {
  const values = readOptions();
  if (values.help) say(HELP);
  else if (values['new-key']) newKey();
  else await make(resolve(values.out ?? '.'));
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
