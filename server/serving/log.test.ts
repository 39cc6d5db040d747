import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { pino } from 'pino';
import { until } from '../testing/until.ts';
import { logOptions, openLogFile } from './log.ts';

test('a log file is set aside and compressed at its limit, and the last ten stay, so that no disk fills up with it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'almirah-log-'));
  const file = join(folder, 'almirah.log');
  const stream = openLogFile(file, '1K');
  const log = pino(logOptions, stream);
  const aside = async () => (await readdir(folder)).filter((name) => name.endsWith('-almirah.log.gz')).toSorted();
  try {
    const seen = new Set<string>();
    for (let line = 1; line <= 12; line += 1) {
      log.info({ line, password: 'SECRET', text: 'x'.repeat(1100) });
      // Each is one too many for the file, so that each sets a file aside.
      await until(async () => {
        for (const name of await aside()) seen.add(name);
        return seen.size === line;
      });
    }
    await until(async () => (await aside()).length === 10);
    const lines: number[] = [];
    for (const name of await aside()) {
      const path = join(folder, name);
      assert.is((await stat(path)).mode & 0o077, 0, 'for the owner alone');
      const text = String(await promisify(gunzip)(await readFile(path)));
      assert.not.match(text, 'SECRET');
      lines.push(...text.trim().split('\n').map((one) => JSON.parse(one).line as number));
    }
    assert.equal(lines, [3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  } finally {
    stream.destroy();
    await rm(folder, { recursive: true });
  }
});

test.run();
