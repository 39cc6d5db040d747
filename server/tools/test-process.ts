import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { processorTime } from './processor-time.ts';

const WORKER = join(import.meta.dirname, 'test-worker.ts');
const LIMIT_MS = 3 * 60_000;
/** How long a process may take to end, before it is cut off with all that it started. */
const LINGER_MS = 5000;
const DRAIN_MS = 200;
/** A process that has grown so large ends after its file. */
const LARGE = 1024 ** 3;

export interface Outcome {
  path: string;
  passed: number;
  failed: number;
  seconds: number;
  /** Seconds of processor, of all that the file started. */
  cpu: number;
  /** What the file printed, and the processes that it started. */
  output: string;
  /** How the process ended, when it did so before the file was through. */
  end?: string;
}

/** With all that it started, which would hold its output open, or go on for ever. */
function cut(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, 'SIGKILL');
  } catch {
    // Nobody is left.
  }
}

const running = new Set<ChildProcess>();
export function cutAll(): void {
  for (const child of running) cut(child);
}

function start(env: NodeJS.ProcessEnv): ChildProcess {
  const child = fork(WORKER, { env, silent: true, detached: true });
  running.add(child);
  child.on('exit', () => {
    cut(child);
    running.delete(child);
  });
  return child;
}

/** uvu closes with one summary a file, however many suites it has. */
function countsOf(output: string): { passed: number; failed: number } | null {
  const count = (what: string) => Number(new RegExp(`^ {2}${what}: +(\\d+)`, 'm').exec(output)?.[1] ?? 0);
  if (!output.includes('  Duration:')) return null;
  // Those that are skipped are in neither number. A file that says nothing of a test at all was not run.
  const [total, passed] = [count('Total'), count('Passed')];
  return { passed, failed: total + count('Skipped') === 0 ? 1 : total - passed };
}

/**
 * Runs test files one after another in one process, which loads what they share once. A process that dies, or takes too
 * long, fails the file that it was at; the next file gets a new one.
 */
export function createTestProcess(env: NodeJS.ProcessEnv) {
  let child: ChildProcess | undefined;

  async function end(): Promise<void> {
    const ending = child;
    child = undefined;
    if (!ending || !running.has(ending)) return;
    const timer = setTimeout(() => cut(ending), LINGER_MS);
    if (ending.connected) ending.disconnect();
    await once(ending, 'exit');
    clearTimeout(timer);
  }

  async function run(path: string): Promise<Outcome> {
    const started = performance.now();
    child ??= start(env);
    const one = child;
    const before = await processorTime(one.pid!);
    const chunks: Buffer[] = [];
    const output = () => Buffer.concat(chunks).toString();
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    let size: number | undefined;
    // What was printed last and the message come by two ways, in either order.
    const look = () => {
      if (size !== undefined && countsOf(output())) resolve(undefined);
    };
    const took = (chunk: Buffer) => {
      chunks.push(chunk);
      if (size !== undefined) look();
    };
    const told = (rss: unknown) => {
      size = Number(rss);
      look();
    };
    // Not `close`, which node does not tell once the channel was closed from here; what was printed may come later.
    const exited = (code: number | null, signal: string | null) =>
      setTimeout(() => resolve(signal ?? `code ${code}`), DRAIN_MS);
    one.stdout!.on('data', took);
    one.stderr!.on('data', took);
    one.on('message', told);
    one.once('exit', exited);
    const timer = setTimeout(() => cut(one), LIMIT_MS);
    one.send(path);
    const ended = await promise;
    clearTimeout(timer);
    const cpu = Math.max(0, (await processorTime(one.pid!)) - before);
    one.stdout!.off('data', took);
    one.stderr!.off('data', took);
    one.off('message', told);
    one.off('exit', exited);
    if (ended) child = undefined;
    else if (size! > LARGE) await end();
    const counts = countsOf(output()) ?? { passed: 0, failed: 1 };
    return {
      path,
      passed: counts.passed,
      failed: ended ? Math.max(counts.failed, 1) : counts.failed,
      seconds: (performance.now() - started) / 1000,
      cpu,
      output: output(),
      ...(ended && { end: `ended by ${ended}` }),
    };
  }

  return { run, end };
}
