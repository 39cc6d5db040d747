import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

/** The kernel accepts one change of an autogroup per 100 ms from an unprivileged process. */
const RETRY_MS = 110;
const TRIES = 20;
/**
 * The lowest priority of a session, about a sixth of a contended processor: on a machine that is never idle, a file
 * would otherwise take an hour.
 */
const SESSION_NICE_MAX = 7;
const CLOCK_TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

/**
 * Lowers the priority of a child process, so that requests to the server go first. The child leads a session of its
 * own: with autogroup, the default of most kernels, the processor is shared among sessions first, and `nice` only
 * counts within one. So the priority of the session is lowered too.
 */
export function lowerPriority(pid: number, nice: number): void {
  try {
    setPriority(pid, nice);
  } catch {
    // The process keeps its normal priority.
  }
  void lowerSessionPriority(pid, nice);
}

/** Of 1000: the kernel ends the process with the highest score first. */
const OOM_SCORE = 900;

/** When memory runs out, the kernel ends this child before the server. */
export function preferForOomKill(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, String(OOM_SCORE));
  } catch {
    // The process has ended, or the system has no such setting.
  }
}

async function lowerSessionPriority(pid: number, nice: number): Promise<void> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    try {
      return await writeFile(`/proc/${pid}/autogroup`, String(Math.min(nice, SESSION_NICE_MAX)), {
        flag: 'r+',
      });
    } catch (error) {
      // The process has ended, or the kernel has no autogroups.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
    }
    await wait(RETRY_MS, undefined, { ref: false });
  }
}

/** Reads a file of `/proc`; '' when the process has ended. Synchronous: it touches no disk. */
function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}

/** Resident memory of a process. */
export const residentBytes = (pid: number): number =>
  Number(readProc(pid, 'statm').split(' ')[1] ?? 0) * PAGE_BYTES;

/** The processor time of a process so far. */
export function cpuTimeMs(pid: number): number {
  // Skip the name of the program in brackets, which may contain blanks.
  const facts = readProc(pid, 'stat').split(') ').at(-1)!.split(' ');
  return ((Number(facts[11] ?? 0) + Number(facts[12] ?? 0)) * 1000) / CLOCK_TICKS_PER_SECOND;
}

/**
 * How long the threads of a process have been ready to run so far and had to wait for a processor. NaN where the system does not
 * tell: no comparison with it holds.
 */
export function waitedMs(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const waited = threads.map((thread) => Number(readProc(pid, `task/${thread}/schedstat`).split(' ')[1]));
    return waited.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6;
  } catch {
    return NaN;
  }
}
