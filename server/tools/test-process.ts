import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { lowerPriority } from '../sandbox/low-priority.ts';
import { LOWEST_PRIORITY } from '../sandbox/sandbox.ts';
import { processorTime } from './processor-time.ts';

const WORKER = join(import.meta.dirname, 'test-worker.ts');
/** Only for files that hang: the longest take two minutes of a whole run, at the lowest priority, on two cores. */
const LIMIT_MS = 8 * 60_000;
/** How long a process may take to end, before it is cut off with all that it started. */
const LINGER_MS = 5000;
const DRAIN_MS = 200;
/** A process that has grown so large ends after its file. */
const MAX_MEMORY = 1024 ** 3;

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

/** How uvu names a test that failed, with the first line of the reason. */
const FAILED_TEST = /^ {3}FAIL .*\n.*$/gm;

/** What failed, for the end of a run: thousands of lines stand between, and CI may keep the first and the last only. */
export const failureSummary = (outcomes: readonly Outcome[]): string =>
  outcomes
    .filter(({ failed }) => failed > 0)
    .map(({ path, output, end }) => [
      `FAIL ${path}${end ? `, ${end}` : ''}`,
      ...(output.match(FAILED_TEST) ?? []),
    ])
    .map((lines) => lines.map((line) => `${line.trimEnd()}\n`).join(''))
    .join('');

/** With all that it started, which would hold its output open, or go on for ever. */
function killTree(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, 'SIGKILL');
  } catch {
    // Nobody is left.
  }
}

const running = new Set<ChildProcess>();
export function killAll(): void {
  for (const child of running) killTree(child);
}

function start(env: NodeJS.ProcessEnv): ChildProcess {
  const child = fork(WORKER, { env, silent: true, detached: true });
  // That of the processes that read files: on a machine that tests keep busy, these would get no turn for minutes.
  lowerPriority(child.pid!, LOWEST_PRIORITY);
  running.add(child);
  child.on('exit', () => {
    killTree(child);
    running.delete(child);
  });
  return child;
}

/** uvu closes with one summary a file, however many suites it has. */
function countsOf(output: string): { passed: number; failed: number } | null {
  const count = (label: string) => Number(new RegExp(`^ {2}${label}: +(\\d+)`, 'm').exec(output)?.[1] ?? 0);
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
    const timer = setTimeout(() => killTree(ending), LINGER_MS);
    if (ending.connected) ending.disconnect();
    await once(ending, 'exit');
    clearTimeout(timer);
  }

  async function run(path: string): Promise<Outcome> {
    const started = performance.now();
    child ??= start(env);
    const current = child;
    const before = await processorTime(current.pid!);
    const chunks: Buffer[] = [];
    const output = () => Buffer.concat(chunks).toString();
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    let memory: number | undefined;
    // What was printed last and the message come by two ways, in either order.
    const resolveIfComplete = () => {
      if (memory !== undefined && countsOf(output())) resolve(undefined);
    };
    const onOutput = (chunk: Buffer) => {
      chunks.push(chunk);
      if (memory !== undefined) resolveIfComplete();
    };
    const onMessage = (rss: unknown) => {
      memory = Number(rss);
      resolveIfComplete();
    };
    // Not `close`, which node does not tell once the channel was closed from here; what was printed may come later.
    const onExit = (code: number | null, signal: string | null) =>
      setTimeout(() => resolve(signal ?? `code ${code}`), DRAIN_MS);
    current.stdout!.on('data', onOutput);
    current.stderr!.on('data', onOutput);
    current.on('message', onMessage);
    current.once('exit', onExit);
    const timer = setTimeout(() => killTree(current), LIMIT_MS);
    current.send(path);
    const exitReason = await promise;
    clearTimeout(timer);
    const cpu = Math.max(0, (await processorTime(current.pid!)) - before);
    current.stdout!.off('data', onOutput);
    current.stderr!.off('data', onOutput);
    current.off('message', onMessage);
    current.off('exit', onExit);
    if (exitReason) child = undefined;
    else if (memory! > MAX_MEMORY) await end();
    const counts = countsOf(output()) ?? { passed: 0, failed: 1 };
    return {
      path,
      passed: counts.passed,
      failed: exitReason ? Math.max(counts.failed, 1) : counts.failed,
      seconds: (performance.now() - started) / 1000,
      cpu,
      output: output(),
      ...(exitReason && { end: `ended by ${exitReason}` }),
    };
  }

  return { run, end };
}
