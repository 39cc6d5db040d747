import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Knex } from 'knex';

const PATIENCE_MS = 3 * 60_000;

/**
 * Runs a program and kills it when it has printed `line` for the `nth` time.
 * @returns whether that happened.
 */
export function killAtLine(
  program: string,
  args: readonly string[],
  line: string,
  nth: number,
): Promise<boolean> {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, KILLED_AT: line },
  });
  let seen = 0;
  let killed = false;
  createInterface({ input: child.stdout }).on('line', (printed) => {
    seen += printed === line ? 1 : 0;
    if (killed || seen < nth) return;
    killed = true;
    child.kill('SIGKILL');
  });
  const timeout = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  return new Promise((resolve) =>
    child.once('close', () => {
      clearTimeout(timeout);
      resolve(killed);
    }),
  );
}

/** Prints a line for the observer. */
export const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * Prints a step of which the observer expects the state exactly: the program goes no further there, however late it is
 * killed.
 */
export function printStep(step: string): void {
  printLine(step);
  if (step === process.env.KILLED_AT) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** Prints `write` and `commit` as they happen, so that the process can be killed there. */
export function printWrites(db: Knex): void {
  db.on('query', ({ sql }: { sql: string }) => {
    if (/^(?:INSERT|UPDATE|DELETE)/i.test(sql)) printLine('write');
    if (/^COMMIT/i.test(sql)) printLine('commit');
  });
}

/** Prints that all work is done, and waits to be killed. */
export function printDoneAndWait(): void {
  printLine('done');
  setTimeout(() => {}, 2 * PATIENCE_MS);
}
