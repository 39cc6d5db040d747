import { performance } from 'node:perf_hooks';

export const median = (values: number[]): number => percentile(values, 50);

/** The nearest-rank percentile of `values`. */
export function percentile(values: number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

/** Wall time of `work` in seconds. */
export async function timed(work: () => Promise<unknown> | unknown): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

/** Wall times of `runs` calls in seconds, after one that is not counted. */
export async function repeat(runs: number, work: () => Promise<unknown> | unknown): Promise<number[]> {
  await work();
  const times: number[] = [];
  for (let i = 0; i < runs; i += 1) times.push(await timed(work));
  return times;
}

/** Milliseconds of processor, of all threads, for each of `runs` calls, after `warm` that are not counted. */
export async function cpuTimes(runs: number, work: () => Promise<unknown>, warm = 1): Promise<number[]> {
  const times: number[] = [];
  for (let run = -warm; run < runs; run += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    if (run >= 0) times.push((user + system) / 1000);
  }
  return times;
}

export interface Figure {
  name: string;
  /** As printed, with its unit. */
  value: string;
  /** The target, if there is one, and whether it is reached. */
  target?: { text: string; reached: boolean };
}

export const fixed = (value: number, digits = 1): string => value.toFixed(digits);

export function table(figures: Figure[]): string {
  const rows = figures.map(({ name, value, target }) => [
    name,
    value,
    target ? `${target.text} ${target.reached ? 'reached' : 'MISSED'}` : '',
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
