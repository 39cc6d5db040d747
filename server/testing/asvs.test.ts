import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const root = join(import.meta.dirname, '../..');

test('each ASVS requirement is listed once, with an existing test file or the reason for its absence', async () => {
  const table = await readFile(join(import.meta.dirname, 'asvs.md'), 'utf8');
  const rows = [...table.matchAll(/^\| (V\d+\.\d+\.\d+) +\| (.+?) +\| (.+?) +\|$/gm)];
  assert.ok(rows.length > 150, `only ${rows.length} rows were found`);
  const numbers = rows.map(([, number]) => number);
  assert.is(new Set(numbers).size, numbers.length);
  const named = rows.flatMap(([, number, , shown]) =>
    Array.from(shown!.matchAll(/`([\w./-]+\/[\w./-]+|[\w-]+\.md)`/g), ([, file]) => ({
      number,
      file: file!,
    })),
  );
  assert.ok(named.length > 150, 'the files were not found');
  assert.equal(
    named.filter(({ file }) => !existsSync(join(root, file))),
    [],
  );
});

test.run();
