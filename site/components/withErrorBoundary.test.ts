import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const SITE = join(import.meta.dirname, '..');
/** Islands that wrap each of their parts in an ErrorBoundary themselves. */
const WRAPS_ITS_PARTS = ['Host', 'Toaster'];

test('every island is wrapped in an error boundary, since React removes an island that throws', async () => {
  const unwrapped: string[] = [];
  let islands = 0;
  for await (const page of glob('{pages,layouts}/**/*.astro', { cwd: SITE })) {
    const text = await readFile(join(SITE, page), 'utf8');
    for (const [, name = ''] of text.matchAll(/<(\w+)\s+client:/g)) {
      islands += 1;
      const [, from = ''] = new RegExp(`import \\{ ${name} \\} from '([^']+)'`).exec(text) ?? [];
      const source = await readFile(join(SITE, dirname(page), from), 'utf8');
      if (!WRAPS_ITS_PARTS.includes(name) && !source.includes(`export const ${name} = withErrorBoundary(`))
        unwrapped.push(name);
    }
  }
  assert.ok(islands > 15, 'the islands were not found');
  assert.equal(unwrapped, []);
});

test.run();
