import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const read = (name: string) => readFile(join(import.meta.dirname, '../..', name), 'utf8');

test('the image has what confines the readers of files, and runs as nobody who may change the program', async () => {
  const [, image = ''] = (await read('Dockerfile')).split(/^FROM .*-slim$/m);
  assert.match(image, /apt-get install [^\n]*\bbubblewrap\b/);
  assert.ok(image.indexOf('bubblewrap') < image.indexOf('USER node'), 'installed by root');
  for (const [line] of image.matchAll(/^COPY .*$/gm)) assert.match(line, '--chown=root:root');
  // What they load was compiled beforehand beside the packages, by the stage that installs them.
  assert.match(image, '/app/node_modules ./node_modules');
});

test('what is compiled beforehand is there, or the first previews of every new installation wait', async () => {
  const [, list = ''] =
    /const PROCESSES = \[([^\]]+)\]/.exec(await read('server/sandbox/precompile.ts')) ?? [];
  const files = [...list.matchAll(/'([^']+)'/g)].map(([, file]) => file!);
  assert.ok(files.length > 5);
  for (const file of files) await read(file);
});

test('the container has no right that it does not need, and says what the whole box takes', async () => {
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
