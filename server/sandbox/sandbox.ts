import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Outcome } from './serve-requests.ts';
import type { Confinement } from './contract.ts';
import { confinedCommand, confinement, ENVIRONMENT, FILTER_FD, INFO_FD } from './confinement.ts';
import { createFrameDecoder, encodeFrame } from './frames.ts';
import { memoryLimit } from './memory.ts';
import { serverBusy } from '#server/http/errors.ts';
import { cpuTimeMs, lowerPriority, preferForOomKill, residentBytes, waitedMs } from './low-priority.ts';

/** Limits of one request. */
export interface SandboxLimits {
  /** Of work and sleep: on a busy machine the process may wait long for its turn, which says nothing about the file. */
  milliseconds: number;
  /** Resident memory of the process; less on a small machine, see `memoryLimit`. */
  bytes: number;
  /** V8's heap, in MiB. */
  heapMb: number;
  /** Size of a response in bytes. */
  answer: number;
  /** The process is ended after this long without a request, which frees its memory. */
  idleMs: number;
  /** Niceness, from 0 to 19. */
  nice: number;
  /** The strongest that the machine allows where left out. */
  confinement: Confinement;
}

const MIB = 1024 * 1024;
const LIMITS: Omit<SandboxLimits, 'confinement'> = {
  milliseconds: 20_000,
  bytes: 900 * MIB,
  heapMb: 256,
  answer: 64 * MIB,
  idleMs: 20_000,
  nice: 10,
};
/** The JSON of a response, which is parsed synchronously. */
const RESPONSE_JSON_MAX_BYTES = 32 * MIB;
/** Faults of a file that exceeds the limits or breaks the process; any other fault is the process's own message. */
export const FAULTS = {
  time: 'It took too long.',
  memory: 'It took too much memory.',
  crash: 'It crashed the reader.',
  answer: 'It gave too much for an answer, or nothing that is one.',
} as const;
const CHECK_INTERVAL_MS = 50;
/** The niceness of a process that gives way to everything else on the machine. */
export const LOWEST_PRIORITY = 19;
/** The wall-clock limit is this many times that of work and sleep. */
const WALL_CLOCK_FACTOR = 5;
/** A process that had less than this share of its processor time until then was waiting for the machine. */
const STARVED = 0.5;

interface Worker {
  child: ChildProcess;
  /** Of the process itself; of bubblewrap until the inner process is known. */
  pid: number;
  isKilled: boolean;
  /** Whose files it has seen, see `ownerOf`. */
  owner: string;
  /** Receives the events of the current request; `idleListener` between requests. */
  listener: WorkerListener;
  idleListener: WorkerListener;
}

interface WorkerListener {
  responded(value: unknown): void;
  sentGarbage(): void;
  exited(): void;
  failed(error: Error): void;
}

/**
 * Kills a worker and its descendants. Before the inner process of a container is known, the whole process group is
 * killed: if only bubblewrap were killed, an inner process that is not yet set up would hang for ever.
 */
function kill(worker: Worker): void {
  const { child, pid } = worker;
  worker.isKilled = true;
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  for (const target of new Set([-child.pid, pid])) if (target !== 0) killQuietly(target);
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/**
 * Runs third-party parsers on untrusted files, one request at a time, in a child process that is started on demand,
 * confined as well as the machine allows, and killed when it exceeds its limits. A process sees the files of one owner
 * only: for another owner a new process is started, so that a file that takes over the process finds no other
 * client's data.
 * @param module the entry module of the process; see `serve-requests.ts`.
 */
export function createSandbox<Request extends object, Result extends object>(
  module: URL,
  overrides: Partial<SandboxLimits> = {},
) {
  const limits = { ...LIMITS, ...overrides, bytes: memoryLimit(overrides.bytes ?? LIMITS.bytes) };
  let current: Worker | undefined;
  let idleTimer: NodeJS.Timeout | undefined;

  function stop(): void {
    clearTimeout(idleTimer);
    if (current) kill(current);
    current = undefined;
  }

  async function start(owner: string): Promise<Worker> {
    const level = overrides.confinement ?? (await confinement());
    const { command, args, filter, stdio } = confinedCommand(level, limits, [fileURLToPath(module)]);
    const child = spawn(command, args, { cwd: '/', env: ENVIRONMENT, stdio, detached: true });
    const idleListener: WorkerListener = {
      // A response without a request: the process is not to be trusted.
      responded: () => kill(worker),
      sentGarbage() {},
      exited() {},
      failed() {},
    };
    const worker: Worker = {
      child,
      pid: child.pid ?? 0,
      isKilled: false,
      owner,
      idleListener,
      listener: idleListener,
    };
    const forget = () => {
      if (current === worker) current = undefined;
    };
    child.once('exit', () => {
      forget();
      worker.listener.exited();
    });
    child.once('error', (error) => {
      forget();
      worker.listener.failed(error);
    });
    const responses = createFrameDecoder({ text: RESPONSE_JSON_MAX_BYTES, all: limits.answer });
    child.stdio[3]!.on('data', (piece: Buffer) => {
      try {
        for (const response of responses.decode(piece)) worker.listener.responded(response);
      } catch {
        worker.listener.sentGarbage();
        kill(worker);
      }
    });
    child.stdio[INFO_FD]?.on('data', (info: Buffer) => {
      const innerPid = Number(/"child-pid":\s*(\d+)/.exec(info.toString())?.[1]);
      if (!(innerPid > 0)) return;
      // The inner process may have left the group before it was killed, and not yet be tied to bubblewrap's life.
      if (worker.isKilled) return killQuietly(innerPid);
      worker.pid = innerPid;
      lowerPriority(innerPid, limits.nice);
    });
    for (const stream of child.stdio) {
      // Writing to a process that ended early fails; the `exit` event reports that.
      stream?.on('error', () => {});
      (stream as Socket | null)?.unref();
    }
    if (filter) (child.stdio[FILTER_FD] as Writable).end(filter);
    // Before bubblewrap forks, so that the inner process inherits the setting.
    preferForOomKill(worker.pid);
    lowerPriority(worker.pid, limits.nice);
    child.unref();
    return worker;
  }

  async function workerFor(owner: string): Promise<Worker> {
    if (current && current.owner !== owner) stop();
    return (current ??= await start(owner));
  }

  /**
   * @param owner the isolation key of the file, see `ownerOf`: no process sees files of two owners.
   * @returns the result or a fault, both of which would be the same next time.
   * @throws when nothing is known about the file, such as the signal's reason after an abort, or 503 `busy`.
   */
  async function run(request: Request, owner: string, signal: AbortSignal): Promise<Outcome<Result>> {
    signal.throwIfAborted();
    clearTimeout(idleTimer);
    const worker = await workerFor(owner);
    const outcome = await new Promise<Outcome<Result>>((resolve, reject) => {
      const settle = (result?: Outcome<Result>, error?: unknown) => {
        clearTimeout(timeout);
        clearInterval(check);
        signal.removeEventListener('abort', stop);
        worker.listener = worker.idleListener;
        if (result) resolve(result);
        else reject(error as Error);
      };
      const fail = (fault: string) => {
        settle({ fault });
        stop();
      };
      worker.listener = {
        responded: (value) =>
          typeof value === 'object' && value ? settle(value as Result) : fail(FAULTS.answer),
        sentGarbage: () => fail(FAULTS.answer),
        failed: (error) => settle(undefined, error),
        // After an abort we killed it ourselves: that says nothing about the file.
        exited: () => (signal.aborted ? settle(undefined, signal.reason) : fail(FAULTS.crash)),
      };
      const cpuMsBefore = cpuTimeMs(worker.pid);
      const cpuMs = () => cpuTimeMs(worker.pid) - cpuMsBefore;
      const isAwaited = limits.nice < LOWEST_PRIORITY;
      const timeout = setTimeout(() => {
        // What nobody waits for is given up, or it would be tried for ever.
        if (!isAwaited || cpuMs() >= limits.milliseconds * STARVED) return fail(FAULTS.time);
        settle(undefined, serverBusy());
        stop();
      }, limits.milliseconds * WALL_CLOCK_FACTOR);
      const [began, waitedBefore] = [performance.now(), waitedMs(worker.pid)];
      /** Whether it has slept or worked for too long: what sleeps once does so again, and would keep the files of all others waiting. */
      const hasTaken = (limit: number): boolean => {
        const passed = performance.now() - began;
        return passed > limit && passed - (waitedMs(worker.pid) - waitedBefore) > limit;
      };
      const check = setInterval(() => {
        if (residentBytes(worker.pid) > limits.bytes) fail(FAULTS.memory);
        else if (cpuMs() > limits.milliseconds || (isAwaited && hasTaken(limits.milliseconds)))
          fail(FAULTS.time);
      }, CHECK_INTERVAL_MS);
      signal.addEventListener('abort', stop);
      if (signal.aborted) stop();
      for (const piece of encodeFrame(request)) worker.child.stdin!.write(piece);
    });
    idleTimer = setTimeout(stop, limits.idleMs).unref();
    return outcome;
  }

  return {
    run,
    /** Ends the process; the next request starts a new one. */
    stop,
  };
}
