import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { glob, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';

// `npm test [-- --coverage] [part of a path …]`: each file in a process of its own, so that one that dies takes no
// other with it. Counting the lines that were run takes a tenth longer, so it is done when asked for.
const root = join(import.meta.dirname, '../..');
const countLines = process.argv.includes('--coverage');
const wanted = process.argv.slice(2).filter((word) => word !== '--coverage');
const LIMIT_MS = 3 * 60_000;
/** How long a process may go on after its last test, before what it left open is cut off. */
const LINGER_MS = 15_000;
const coverage = join(root, 'coverage');

interface Outcome {
  path: string;
  passed: number;
  failed: number;
}

const files: string[] = [];
for await (const path of glob('{server,storage,site,bench}/**/*.test.ts', { cwd: root })) {
  if (wanted.length === 0 || wanted.some((part) => path.includes(part))) files.push(path);
}
files.sort();

const isBrowserTest = (path: string) => path.startsWith('site/e2e/');

await rm(coverage, { recursive: true, force: true });
const plain = { ...process.env, NODE_ENV: 'test' };
// Not of the browser's tests: they run what is built, which tells nothing of a source's lines and takes longer.
const envOf = (path: string) =>
  isBrowserTest(path) || !countLines ? plain : { ...plain, NODE_V8_COVERAGE: coverage };

const running = new Set<ChildProcess>();

/** With all that it started, which would hold its output open, or go on for ever. */
function cut(test: ChildProcess): void {
  try {
    process.kill(-test.pid!, 'SIGKILL');
  } catch {
    // Nobody is left.
  }
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const test of running) cut(test);
    process.exit(1);
  });
}

function runFile(path: string): Promise<Outcome> {
  return new Promise((resolve) => {
    const started = Date.now();
    const test = spawn(process.execPath, [path], { cwd: root, env: envOf(path), detached: true });
    running.add(test);
    const chunks: Buffer[] = [];
    let timer = setTimeout(() => cut(test), LIMIT_MS);
    let over = false;
    for (const stream of [test.stdout, test.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (over || !chunk.includes('  Duration:')) return;
        over = true;
        clearTimeout(timer);
        timer = setTimeout(() => cut(test), LINGER_MS);
      });
    }
    test.on('exit', () => cut(test));
    test.on('close', (code, signal) => {
      running.delete(test);
      clearTimeout(timer);
      const output = Buffer.concat(chunks).toString();
      // One file may run several suites, but uvu closes with one summary a file.
      const total = Number(/^ {2}Total: +(\d+)/m.exec(output)?.[1] ?? 0);
      const passed = Number(/^ {2}Passed: +(\d+)/m.exec(output)?.[1] ?? 0);
      const skipped = Number(/^ {2}Skipped: +(\d+)/m.exec(output)?.[1] ?? 0);
      const lingered = over && signal === 'SIGKILL';
      const failed = Math.max(total - passed - skipped, (code === 0 || lingered) && total > 0 ? 0 : 1);
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      const counts = `${passed} passed, ${failed} failed`;
      const end = lingered ? `${counts}, left something open` : signal ? `ended by ${signal}` : counts;
      process.stdout.write(
        `${failed ? 'FAIL' : 'ok  '} ${relative(root, join(root, path))} (${end}, ${seconds} s)\n`,
      );
      if (failed) process.stdout.write(`${output}\n`);
      resolve({ path, passed, failed });
    });
  });
}

const outcomes: Outcome[] = [];
// Browser tests wait half of their time: as many as there are cores leave one core for the others.
const inBrowser = files.filter(isBrowserTest);
const others = files.filter((path) => !isBrowserTest(path));
const take = (first: string[], then: string[]) => first.shift() ?? then.shift();
async function runAll(first: string[], then: string[]): Promise<void> {
  for (let file = take(first, then); file; file = take(first, then)) outcomes.push(await runFile(file));
}
const cores = Math.max(1, availableParallelism());
await Promise.all([
  runAll(others, inBrowser),
  ...Array.from({ length: cores }, () => runAll(inBrowser, others)),
]);
// A machine that is kept busy by other tests lets some wait too long; what failed so is tried once more, alone.
for (const [at, { path, failed }] of outcomes.entries()) {
  if (failed === 0) continue;
  process.stdout.write(`${path} failed among others; once more, alone:\n`);
  outcomes[at] = await runFile(path);
}
const passed = outcomes.reduce((sum, one) => sum + one.passed, 0);
const failed = outcomes.reduce((sum, one) => sum + one.failed, 0);
if (countLines) {
  spawnSync(
    join(root, 'node_modules/.bin/c8'),
    ['report', '--temp-directory', coverage, '--reporter', 'text-summary', '--exclude', '**/*.test.ts'],
    { cwd: root, stdio: 'inherit' },
  );
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
