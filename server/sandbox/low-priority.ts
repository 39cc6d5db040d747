import { readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

/** The kernel takes one such change in a tenth of a second from who is no administrator. */
const AGAIN_MS = 110;
const TRIES = 20;
/**
 * No session stands back further than to a sixth of a processor that others want: behind a machine that is never idle, a file would
 * otherwise be read in an hour.
 */
const SESSION_MOST = 7;
const TICKS_IN_A_SECOND = 100;
const PAGE_BYTES = 4096;

/**
 * Lets whoever waits for an answer of the server go before a process that has begun a session of its own. On most machines the
 * kernel shares the processor among sessions first, so that within its own alone a process stands back behind nobody: the
 * session has to stand back as well.
 */
export function standBack(pid: number, nice: number): void {
  try {
    setPriority(pid, nice);
  } catch {
    // Without it, the process takes its share.
  }
  void sessionStandsBack(pid, nice);
}

/** Of 1000: who has most is ended first when a machine has no memory left. */
const EXPENDABLE = 900;

/** Has the kernel end a process before the server that began it, where there is not memory for both. */
export function giveUpFirst(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, String(EXPENDABLE));
  } catch {
    // It is gone, or the system has no such setting.
  }
}

async function sessionStandsBack(pid: number, nice: number): Promise<void> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    try {
      return await writeFile(`/proc/${pid}/autogroup`, String(Math.min(nice, SESSION_MOST)), { flag: 'r+' });
    } catch (error) {
      // The process is gone, or this kernel knows no priority of sessions.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
    }
    await wait(AGAIN_MS, undefined, { ref: false });
  }
}

/** A line of what the kernel says of a process; '' when it is gone. Read at once: it lies on no disk. */
function said(pid: number, file: 'statm' | 'stat'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}

/** Resident bytes of a process. */
export const bytesOf = (pid: number): number => Number(said(pid, 'statm').split(' ')[1] ?? 0) * PAGE_BYTES;

/** Milliseconds of the processor that a process has had. */
export function processorMsOf(pid: number): number {
  // The name of the program comes before, in brackets, with blanks in it.
  const facts = said(pid, 'stat').split(') ').at(-1)!.split(' ');
  return ((Number(facts[11] ?? 0) + Number(facts[12] ?? 0)) * 1000) / TICKS_IN_A_SECOND;
}
