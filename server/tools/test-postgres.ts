import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemplate } from '../testing/postgres.ts';
import { createTestProcess, cutAll } from './test-process.ts';
import { CORE, isSqliteOnly } from './postgres/files.ts';
import { startPostgres } from './postgres/server.ts';

// `npm run test:postgres [-- --core] [part of a path …]`: the server's tests on a real PostgreSQL, which is started for them. `--core`
// runs those of the rooms that have SQL of their own.
const root = join(import.meta.dirname, '../..');
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const core = process.argv.includes('--core');

const files: string[] = [];
for await (const path of glob('server/**/*.test.ts', { cwd: root })) {
  if (isSqliteOnly(path)) continue;
  if (core && !CORE.some((part) => path.startsWith(part))) continue;
  if (wanted.length === 0 || wanted.some((part) => path.includes(part))) files.push(path);
}
files.sort();

const began = performance.now();
const server = await startPostgres();
const end = () => {
  cutAll();
  server.stop();
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    end();
    process.exit(1);
  });
}

const failing: string[] = [];
const sum = { passed: 0, failed: 0 };

async function runAll(): Promise<void> {
  const tests = createTestProcess({ ...process.env, NODE_ENV: 'test', DATABASE_URL: server.address });
  for (let file = files.shift(); file; file = files.shift()) {
    const { path, passed, failed, seconds, output } = await tests.run(file);
    process.stdout.write(
      `${failed ? 'FAIL' : 'ok  '} ${path} (${passed} passed, ${failed} failed, ${seconds.toFixed(1)} s)\n`,
    );
    if (failed) {
      process.stdout.write(`${output}\n`);
      failing.push(`${path}: ${failed} of ${passed + failed}`);
    }
    sum.passed += passed;
    sum.failed += failed;
  }
  await tests.end();
}

try {
  await makeTemplate(server.address);
  process.stdout.write(`${server.version}, ready in ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
  await Promise.all([runAll(), runAll()]);
} finally {
  end();
}
if (failing.length > 0) process.stdout.write(`\nFailed:\n${failing.join('\n')}\n`);
process.stdout.write(`${sum.passed} passed, ${sum.failed} failed\n`);
process.exitCode = sum.failed > 0 || sum.passed === 0 ? 1 : 0;
