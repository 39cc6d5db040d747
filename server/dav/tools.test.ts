import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { existsSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { DriveWorld } from './testing/drive.ts';
import { driveWorld } from './testing/drive.ts';
import { startSuffixProxy } from './testing/suffix-proxy.ts';

interface Stage extends DriveWorld {
  user: string;
  password: string;
  /** A temporary folder, which is also the home directory of the tool. */
  home: string;
  run(tool: string, args: string[], input?: string): Promise<{ code: number | null; said: string }>;
}

const test = suite<Stage>('the drive with third-party tools');
test.before(async (stage) => {
  const home = await mkdtemp(join(tmpdir(), 'drive-'));
  const world = await driveWorld({ abuseLimits: false });
  Object.assign(stage, world, await world.credentials(), { home });
  stage.run = (tool, args, input = '') =>
    new Promise((resolve, reject) => {
      const child = spawn(tool, args, {
        cwd: home,
        env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home },
        timeout: 4 * 60_000,
      });
      let said = '';
      const add = (piece: Buffer) => void (said += String(piece));
      child.stdout.on('data', add);
      child.stderr.on('data', add);
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, said }));
      child.stdin.end(input);
    });
});
test.after(async (stage) => {
  await stage.close();
  await rm(stage.home, { recursive: true, force: true });
});

const has = (tool: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, tool)));
/** A test that is skipped, with a note, if its tool is not installed. */
const by = (tool: string, name: string, body: (stage: Stage) => Promise<void>): void => {
  if (has(tool)) test(name, body);
  else test.skip(`${name} (skipped: ${tool} is not installed)`, body);
};

by('litmus', 'all tests of litmus, a test suite for WebDAV servers, pass', async (stage) => {
  const typed = await startSuffixProxy(stage.base);
  try {
    const { said } = await stage.run('litmus', ['-k', `${typed.url}/dav/`, stage.user, stage.password]);
    assert.equal(said.match(/.*(?:FAIL|WARNING).*/g) ?? [], []);
    const passed = [...said.matchAll(/of (\d+) tests run: (\d+) passed/g)].map(([, ran, good]) => [
      ran,
      good,
    ]);
    assert.equal(passed, [
      ['16', '16'],
      ['13', '13'],
      ['30', '30'],
      ['41', '41'],
      ['4', '4'],
    ]);
  } finally {
    typed.close();
  }
});

by('cadaver', 'cadaver makes a folder, uploads, moves, downloads, lists and deletes', async (stage) => {
  const { base, home, user, password } = stage;
  await writeFile(join(home, '.netrc'), `machine 127.0.0.1 login ${user} password ${password}\n`, {
    mode: 0o600,
  });
  await writeFile(join(home, 'up.txt'), 'from cadaver');
  const { said } = await stage.run(
    'cadaver',
    [`${base}/dav/`],
    'mkcol Cadaver\ncd Cadaver\nput up.txt\nmove up.txt moved.txt\nget moved.txt down.txt\nls\ndelete moved.txt\nquit\n',
  );
  assert.match(said, /moved\.txt/);
  assert.not.match(said, /failed/i);
  assert.is(await readFile(join(home, 'down.txt'), 'utf8'), 'from cadaver');
});

by(
  'rclone',
  'rclone copies a folder with its dates, finds no differences, and later sends only the changed file',
  async (stage) => {
    const { base, home, user, password } = stage;
    const local = join(home, 'papers');
    await mkdir(join(local, 'ITR'), { recursive: true });
    const date = new Date('2024-06-01T10:00:00Z');
    for (const name of ['a.pdf', 'ITR/b & c.pdf', 'ITR/ड.txt']) {
      await writeFile(join(local, name), `content of ${name}`);
      await utimes(join(local, name), date, date);
    }
    const { said: hidden } = await stage.run('rclone', ['obscure', password]);
    // In one word with its key, since what hides a password may begin with a hyphen, like an option.
    const settings = [`url=${base}/dav`, 'vendor=owncloud', `user=${user}`, `pass=${hidden.trim()}`];
    await stage.run('rclone', ['config', 'create', 'vault', 'webdav', ...settings, '--no-obscure']);
    const copied = await stage.run('rclone', ['copy', local, 'vault:Papers']);
    assert.is(copied.code, 0, copied.said);
    const checked = await stage.run('rclone', ['check', '--download', local, 'vault:Papers']);
    assert.match(checked.said, /0 differences found/);
    const dated = await stage.run('rclone', ['lsl', 'vault:Papers/a.pdf']);
    assert.match(dated.said, /2024-06-01/);
    await writeFile(join(local, 'a.pdf'), 'content that is new');
    const again = await stage.run('rclone', ['copy', '-v', local, 'vault:Papers']);
    assert.equal(
      [...again.said.matchAll(/INFO {2}: (.*): Copied/g)].map(([, name]) => name),
      ['a.pdf'],
    );
  },
);

by('curl', 'curl uploads a file in chunks, and resumes an interrupted download', async (stage) => {
  const { base, home, user, password } = stage;
  const content = 'x'.repeat(3_000_000);
  await writeFile(join(home, 'big.txt'), content);
  const as = ['-sS', '--fail', '-u', `${user}:${password}`];
  const url = `${base}/dav/big.txt`;
  const sent = await stage.run('curl', [...as, '-T', '-', url], content);
  assert.is(sent.code, 0, sent.said);
  await writeFile(join(home, 'half.txt'), content.slice(0, 1_000_000));
  const rest = await stage.run('curl', [...as, '-C', '-', '-o', 'half.txt', url]);
  assert.is(rest.code, 0, rest.said);
  assert.ok((await readFile(join(home, 'half.txt'), 'utf8')) === content);
});

test.run();
