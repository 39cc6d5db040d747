import { spawnSync } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '#server/testing/until.ts';
import { environment, flags } from '../tools/runtime.mjs';

const root = join(import.meta.dirname, '../..');
const read = (name: string) => readFile(join(root, name), 'utf8');
const docker = (...args: string[]) => spawnSync('docker', args, { cwd: root, encoding: 'utf8' });

test('the Dockerfile passes a linter', async () => {
  assert.equal(
    validate(await read('Dockerfile')).map(({ range, message }) => `${range.start.line + 1}: ${message}`),
    [],
  );
});

if (docker('info').status === 0)
  test('the image can be built, and a container of it becomes healthy and stops cleanly', async () => {
    const name = `almirah-test-${process.pid}`;
    const done = (...args: string[]) => {
      const { status, stdout, stderr } = docker(...args);
      assert.is(status, 0, stderr);
      return stdout.trim();
    };
    try {
      done('build', '--tag', name, '.');
      done(
        'run',
        '--detach',
        '--name',
        name,
        '--env',
        'ALLOW_PLAIN_HTTP=on',
        '--health-interval',
        '1s',
        name,
      );
      const health = () => done('inspect', '--format', '{{.State.Status}} {{.State.Health.Status}}', name);
      await until(async () => health() !== 'running starting');
      assert.is(health(), 'running healthy', docker('logs', name).stdout);
      done('stop', name);
      assert.is(done('inspect', '--format', '{{.State.ExitCode}}', name), '0', 'it ends in order');
    } finally {
      docker('rm', '--force', '--volumes', name);
      docker('rmi', '--force', name);
    }
  });

test('the image contains bubblewrap for the sandbox, and the program belongs to root, not to the user that runs it', async () => {
  const [, image = ''] = (await read('Dockerfile')).split(/^FROM .*-slim$/m);
  assert.match(image, /apt-get install [^\n]*\bbubblewrap\b/);
  assert.ok(image.indexOf('bubblewrap') < image.indexOf('USER node'), 'installed by root');
  for (const [line] of image.matchAll(/^COPY .*$/gm)) assert.match(line, '--chown=root:root');
  // The modules of the sandbox were compiled in advance, beside the packages, by the stage that installs these.
  assert.match(image, '/app/node_modules ./node_modules');
});

test('the image runs the server with the flags and environment of the service, not as root, and copies only existing files', async () => {
  const file = (await read('Dockerfile')).replaceAll(/\\\n/g, ' ');
  const image = file.slice(file.lastIndexOf('\nFROM '));
  const [, command = '[]'] = /^CMD (.*)$/m.exec(image) ?? [];
  assert.equal(JSON.parse(command), ['node', ...flags, 'server/main.ts']);
  const [, health = '[]'] = /^HEALTHCHECK .*? CMD (.*)$/m.exec(image) ?? [];
  assert.match((JSON.parse(health) as string[]).join(' '), '127.0.0.1:3000/healthz');
  // The image keeps compiled code in another folder, which its user may write.
  const values = { ...environment, NODE_COMPILE_CACHE: '/tmp/compiled' };
  for (const [name, value] of Object.entries(values))
    assert.match(image, new RegExp(`^ENV .*\\b${name}=${value}(?: |$)`, 'm'));
  assert.is([...image.matchAll(/^USER (.*)$/gm)].at(-1)?.[1], 'node');
  const ignored = (await read('.dockerignore')).split('\n');
  const built = ['node_modules', 'dist'];
  for (const [, names = ''] of image.matchAll(/^COPY --from=build \S+ (.*) \S+$/gm))
    for (const name of names.split(' ').map((path) => path.replace('/app/', ''))) {
      if (built.includes(name)) continue;
      assert.not(ignored.includes(name), `${name} reaches the build`);
      await stat(join(root, name));
    }
});

const listIn = async (name: string, list: string): Promise<string[]> => {
  const [, items = ''] = new RegExp(`const ${list} = \\[([^\\]]+)\\]`).exec(await read(name)) ?? [];
  return [...items.matchAll(/'([^']+)'/g)].map(([, item]) => item!);
};

test('every module that is compiled in advance exists, so that the first previews of a new installation need not wait', async () => {
  const files = await listIn('server/sandbox/precompile.ts', 'PROCESSES');
  assert.ok(files.length > 5);
  for (const file of files) await read(file);
});

test('every module compiled in advance is in a folder whose changes cause it to be compiled again', async () => {
  const folders = await listIn('server/tools/prepare.mjs', 'READERS');
  for (const file of await listIn('server/sandbox/precompile.ts', 'PROCESSES'))
    assert.ok(
      folders.some((folder) => file.startsWith(`server/${folder}/`)),
      file,
    );
});

test('the Compose file limits rights, processes and memory, and names the options that bubblewrap needs', async () => {
  const compose = await read('compose.yaml');
  for (const line of [
    'read_only: true',
    'no-new-privileges:true',
    'cap_drop:\n      - ALL',
    'pids_limit:',
    'mem_limit:',
  ])
    assert.ok(compose.includes(line), line);
  assert.not.match(compose, /privileged: true|cap_add|network_mode: host|docker\.sock/);
  for (const line of ['# - seccomp=unconfined', '# - apparmor=unconfined'])
    assert.ok(compose.includes(line), line);
});

test.run();
