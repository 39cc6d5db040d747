import { spawnSync } from 'node:child_process';
import { glob, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { testOnPostgres } from './postgres/core.ts';
import type { Outcome } from './test-process.ts';
import { createTestProcess, failureSummary, killAll } from './test-process.ts';

// `npm test [-- --coverage] [--slowest] [part of a path …]`. Counting the lines that were run takes a tenth longer, so it is
// done when asked for; `--slowest` ends with the files that took most of the processor.
const root = join(import.meta.dirname, '../..');
const countLines = process.argv.includes('--coverage');
const showSlowest = process.argv.includes('--slowest');
const pathFilters = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const coverage = join(root, 'coverage');
/** Files that need a process of their own: they measure it. */
const OWN_PROCESS = ['server/auth/passwords.test.ts'];

/** Files that take half a minute and more: see `--slowest`. */
const LONG_FILES = new Set([
  'server/tools/update.test.ts',
  'server/masking/masking.test.ts',
  'server/testing/look-only.test.ts',
  'server/archive/crash.test.ts',
  'server/documents/versions/crash.test.ts',
  'server/tools/backup-on-postgres.test.ts',
  'server/previews/pages.test.ts',
  'site/e2e/pseudo-language.test.ts',
  'site/e2e/clients.test.ts',
  'site/e2e/plans.test.ts',
  'site/e2e/extraction.test.ts',
  'site/e2e/office-previews.test.ts',
  'site/e2e/settings.test.ts',
  'site/e2e/resumable.test.ts',
]);
/** Files that `--slowest` lists. */
const SLOWEST_COUNT = 40;

const files: string[] = [];
for await (const path of glob('{server,storage,site,bench,desktop}/**/*.test.ts', { cwd: root })) {
  if (pathFilters.length === 0 || pathFilters.some((part) => path.includes(part))) files.push(path);
}
files.sort();
// What takes long begins first, or the last of it would run alone.
files.sort((a, b) => Number(LONG_FILES.has(b)) - Number(LONG_FILES.has(a)));

const isBrowserTest = (path: string) => path.startsWith('site/e2e/');

await rm(coverage, { recursive: true, force: true });
const baseEnv = {
  ...process.env,
  NODE_ENV: 'test',
  /** Files of one process share a browser. */
  SHARED_BROWSER: '1',
  // Compiled once for all processes, also those that tests start.
  ...(!countLines && { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled') }),
};
// Not of the browser's tests: they run what is built, which tells nothing of a source's lines and takes longer.
const nodeEnv = countLines ? { ...baseEnv, NODE_V8_COVERAGE: coverage } : baseEnv;
// Pages are drawn as they are served: React that is made for development takes longer.
const browserEnv = { ...baseEnv, NODE_ENV: 'production' };

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    killAll();
    process.exit(1);
  });
}

function report({
  path,
  passed,
  failed,
  seconds,
  output,
  end = `${passed} passed, ${failed} failed`,
}: Outcome) {
  process.stdout.write(`${failed ? 'FAIL' : 'ok  '} ${path} (${end}, ${seconds.toFixed(1)} s)\n`);
  if (failed) process.stdout.write(`${output}\n`);
}

const outcomes: Outcome[] = [];
const browserTests = files.filter(isBrowserTest);
const nodeTests = files.filter((path) => !isBrowserTest(path));

async function runQueues(...kinds: [files: string[], env: NodeJS.ProcessEnv][]): Promise<void> {
  for (const [queue, env] of kinds) {
    const tests = createTestProcess(env);
    for (let file = queue.shift(); file; file = queue.shift()) {
      if (OWN_PROCESS.includes(file)) await tests.end();
      const outcome = await tests.run(file);
      if (OWN_PROCESS.includes(file)) await tests.end();
      report(outcome);
      outcomes.push(outcome);
    }
    await tests.end();
  }
}

const isWhole = pathFilters.length === 0;
// Of a part of the files nobody asks how they are on another database; `npm run test:postgres` takes a part.
const postgres = isWhole ? testOnPostgres() : null;
// Tests wait for a third of their time, so there is one more of them at once than cores; a second one more only takes the cores' caches from
// the others, and with it a sixth more of the processor.
const cores = Math.max(1, availableParallelism());
await Promise.all([
  runQueues([nodeTests, nodeEnv], [browserTests, browserEnv]),
  ...Array.from({ length: cores }, () => runQueues([browserTests, browserEnv], [nodeTests, nodeEnv])),
]);
const onPostgres = await postgres;
const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
if (countLines) {
  spawnSync(
    join(root, 'node_modules/.bin/c8'),
    ['report', '--temp-directory', coverage, '--reporter', 'text-summary', '--exclude', '**/*.test.ts'],
    { cwd: root, stdio: 'inherit' },
  );
}
if (showSlowest) {
  const cpu = outcomes.reduce((sum, outcome) => sum + outcome.cpu, 0);
  process.stdout.write(`\n${cpu.toFixed(0)} s of processor; of these\n`);
  for (const outcome of outcomes.toSorted((a, b) => b.cpu - a.cpu).slice(0, SLOWEST_COUNT)) {
    process.stdout.write(
      `${outcome.cpu.toFixed(1).padStart(7)} s ${outcome.path} (${outcome.passed} tests)\n`,
    );
  }
}
if (onPostgres) process.stdout.write(`\nOn PostgreSQL:\n${onPostgres.output}`);
const allPassed = failed === 0 && passed > 0 && onPostgres?.passed !== false;
process.stdout.write(failureSummary(outcomes));
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = allPassed ? 0 : 1;
