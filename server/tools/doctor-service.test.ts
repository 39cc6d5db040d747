import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { unitFile } from './service-unit.ts';
import { service, serviceFinding } from './doctor-service.ts';

const shown = (state: string, result: string, restarts = 0) =>
  serviceFinding(`ActiveState=${state}\nResult=${result}\nNRestarts=${restarts}\n`);

test('a service that has failed is reported with the reason and what to do, for its ports are free as those of a stopped one', () => {
  const failed = shown('failed', 'exit-code');
  assert.is(failed.well, false);
  assert.match(
    failed.text,
    /has failed.*ended with an error.*journalctl -u almirah.*systemctl restart almirah/,
  );
  const again = shown('activating', 'exit-code', 41);
  assert.equal([again.well, /again and again .*restarts: 41/.test(again.text)], [false, true]);
  // In the seconds until it ends again.
  const starting = shown('activating', 'success', 41);
  assert.equal([starting.well, /again and again .*restarts: 41/.test(starting.text)], [false, true]);
  assert.match(shown('inactive', 'success').text, /is stopped: sudo systemctl start almirah/);
  assert.is(shown('activating', 'success').well, true);
  assert.is(shown('active', 'success').well, true);
});

test('nothing is said of a service that is none of this data folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'almirah-doctor-service-'));
  const unit = join(folder, 'almirah.service');
  try {
    assert.is(await service({ dataDir: '/srv/a' }, unit), null, 'none is installed');
    const written = { program: '/opt/a', dataDir: '/srv/b', writes: [], user: 'a', settings: '/etc/a' };
    await writeFile(unit, unitFile(written));
    assert.is(await service({ dataDir: '/srv/a' }, unit), null);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.run();
