import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemplate } from '../testing/postgres.ts';
import { processorTime } from './processor-time.ts';
import type { Outcome } from './test-process.ts';
import { createTestProcess, failureSummary, killAll } from './test-process.ts';
import { isInCore, runsOnPostgres } from './postgres/files.ts';
import { isInShare } from './postgres/share.ts';
import { startPostgres } from './postgres/server.ts';

// `npm run test:postgres [-- --share] [part of a path …]`: the server's tests on a real PostgreSQL, which is started for them. `--share`
// runs with each commit another share of them, a larger one of the rooms that have SQL of their own.
const root = join(import.meta.dirname, '../..');
const pathFilters = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const shareOnly = process.argv.includes('--share');
const CORE_SHARES = 5;
const OTHER_SHARES = 20;

const files: string[] = [];
for await (const path of glob('server/**/*.test.ts', { cwd: root })) {
  if (!runsOnPostgres(path)) continue;
  if (shareOnly && !isInShare(path, isInCore(path) ? CORE_SHARES : OTHER_SHARES)) continue;
  if (pathFilters.length === 0 || pathFilters.some((part) => path.includes(part))) files.push(path);
}
files.sort();
// Those that run commands take minutes: they begin first, or the last of them would run alone.
const runsCommands = (path: string) => path.startsWith('server/tools/');
files.sort((a, b) => Number(runsCommands(b)) - Number(runsCommands(a)));

const started = performance.now();
const server = await startPostgres();
const endAll = () => {
  killAll();
  server.stop();
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    endAll();
    process.exit(1);
  });
}

const outcomes: Outcome[] = [];
let serverCpu = 0;

async function runQueue(queue: string[]): Promise<void> {
  const tests = createTestProcess({ ...process.env, NODE_ENV: 'test', DATABASE_URL: server.address });
  for (let file = queue.shift(); file; file = queue.shift()) {
    const outcome = await tests.run(file);
    const { path, passed, failed, seconds, output } = outcome;
    process.stdout.write(
      `${failed ? 'FAIL' : 'ok  '} ${path} (${passed} passed, ${failed} failed, ${seconds.toFixed(1)} s)\n`,
    );
    if (failed) process.stdout.write(`${output}\n`);
    outcomes.push(outcome);
  }
  await tests.end();
}

try {
  await makeTemplate(server.address);
  process.stdout.write(
    `${server.version}, ready in ${((performance.now() - started) / 1000).toFixed(1)} s\n`,
  );
  await Promise.all([runQueue(files), runQueue(files)]);
  serverCpu = await processorTime(server.pid);
} finally {
  endAll();
}
const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
const failing = outcomes.filter(({ failed }) => failed > 0);
process.stdout.write(failureSummary(outcomes));
const seconds = (performance.now() - started) / 1000;
const cpu = outcomes.reduce((sum, outcome) => sum + outcome.cpu, 0);
process.stdout.write(
  `${seconds.toFixed(0)} s; ${(cpu + serverCpu).toFixed(0)} s of processor, of which PostgreSQL ${serverCpu.toFixed(0)} s\n`,
);
process.stdout.write(
  `${passed} passed, ${failing.reduce((sum, outcome) => sum + outcome.failed, 0)} failed\n`,
);
process.exitCode = failing.length > 0 || passed === 0 ? 1 : 0;
