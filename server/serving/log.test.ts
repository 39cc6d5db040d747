import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { pino } from 'pino';
import { until } from '../testing/until.ts';
import { logOptions, openLogFile } from './log.ts';

test('a log file is rotated and compressed at its limit, and ten rotated files are kept', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'almirah-log-'));
  const stream = openLogFile(join(folder, 'almirah.log'), '1K');
  const log = pino(logOptions, stream);
  /** The names of rotated files, by the number of their line; a file that is still being compressed is left out. */
  async function aside(): Promise<Map<number, string>> {
    const names = (await readdir(folder)).filter((name) => name.endsWith('-almirah.log.gz'));
    const lines = await Promise.all(
      names.map(async (name): Promise<[number, string][]> => {
        try {
          const text = gunzipSync(await readFile(join(folder, name))).toString();
          return [[JSON.parse(text).line as number, name]];
        } catch {
          return [];
        }
      }),
    );
    return new Map(lines.flat());
  }
  try {
    for (let line = 1; line <= 12; line += 1) {
      // Each line is longer than the limit of the file.
      log.info({ line, password: 'SECRET', text: 'x'.repeat(1100) });
      await until(async () => (await aside()).has(line));
    }
    await until(async () => (await aside()).size === 10);
    const kept = await aside();
    assert.equal(
      [...kept.keys()].toSorted((a, b) => a - b),
      [3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    );
    const newest = join(folder, kept.get(12)!);
    assert.is((await stat(newest)).mode & 0o077, 0, 'for the owner alone');
    assert.not.match(gunzipSync(await readFile(newest)).toString(), 'SECRET');
  } finally {
    stream.destroy();
    await rm(folder, { recursive: true });
  }
});

test.run();
