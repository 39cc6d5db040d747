// Runs test files one after another, each as the runner names it: what they all import is loaded once.
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const uvu = globalThis as { UVU_DEFER?: boolean; UVU_QUEUE?: unknown[][] };
// Read when uvu is loaded: suites then wait for `exec`.
uvu.UVU_DEFER = true;
const { exec } = await import('uvu');

process.on('message', async (path: string) => {
  uvu.UVU_QUEUE = [[null]];
  await import(join(root, path));
  await exec();
  process.send?.(process.memoryUsage.rss());
});
// What a test left open would keep this process for ever.
process.once('disconnect', () => process.exit());
