import { readFile } from 'node:fs/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { flags } from '../tools/runtime.mjs';
import { createIdleWatch } from './idle-memory.ts';

const QUIET_MS = 50;
const BUSY_MS = 6000;

test('memory is freed once after the start, and not while the server is busy, since it would stop all requests', () => {
  const watch = createIdleWatch();
  const freed = [BUSY_MS, BUSY_MS, QUIET_MS, QUIET_MS, QUIET_MS].map(watch.isTimeToFree);
  assert.equal(freed, [false, false, true, false, false]);
});

test('after a few clicks memory is not freed again, since little has been used and the next page would be slower', () => {
  const watch = createIdleWatch();
  watch.isTimeToFree(QUIET_MS);
  assert.equal([900, QUIET_MS, 900, QUIET_MS].map(watch.isTimeToFree), [false, false, false, false]);
  assert.equal([BUSY_MS, QUIET_MS].map(watch.isTimeToFree), [false, true]);
});

test('a container starts the server with the same flags as npm start, one of which allows to free memory', async () => {
  const dockerfile = await readFile(new URL('../../Dockerfile', import.meta.url), 'utf8');
  const command = JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)![1]!) as string[];
  assert.equal(command.slice(1, -1), flags);
  assert.ok(flags.includes('--expose-gc'));
});

test.run();
