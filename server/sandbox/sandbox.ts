import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Outcome } from './answer-orders.ts';
import type { Confinement } from './contract.ts';
import { confined, confinement, ENVIRONMENT, FILTER_FD, INFO_FD } from './confinement.ts';
import { createUnframer, framed } from './frames.ts';
import { mostBytes } from './memory.ts';
import { bytesOf, giveUpFirst, processorMsOf, standBack } from './low-priority.ts';

export interface SandboxLimits {
  /** For one file: of the clock, or of the processor for a process that stands back behind all others and may wait long for it. */
  milliseconds: number;
  /** Resident, of the whole process; on a small machine less. */
  bytes: number;
  /** Of JavaScript's own values, in MiB. */
  heapMb: number;
  /** Of an answer. */
  answer: number;
  /** Without work, until the process is ended and its memory is free again. */
  idleMs: number;
  /** How far the process stands back behind others, from 0 to 19. */
  nice: number;
  /** How it is confined; otherwise as well as the machine allows. */
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
/** Bytes of plain values in an answer, which are parsed while everybody waits. */
const ANSWER_TEXT = 32 * MIB;
/** What is said of a file that was too much for the process; another fault is what the process itself says. */
export const TOO_MUCH = {
  time: 'It took too long.',
  memory: 'It took too much memory.',
  crash: 'It crashed the reader.',
  answer: 'It gave too much for an answer, or nothing that is one.',
} as const;
const LOOK_MS = 50;
/** How far a process stands back that gives way to whoever wants the processor. */
export const BEHIND_ALL = 19;
/** Times of the clock that such a process has for its time of the processor. */
const SLACK = 5;

/** A process, with who listens to it now. */
interface Reader {
  child: ChildProcess;
  /** Its number; of the container until the one inside is known. */
  pid: number;
  killed: boolean;
  /** Whose files it has seen. */
  owner: string;
  hear: Hears;
  nobody: Hears;
}

interface Hears {
  answer(value: unknown): void;
  nonsense(): void;
  ended(): void;
  failed(error: Error): void;
}

/**
 * Ends a process with all that it has begun. One that is not inside of its container yet would wait there for ever, were
 * only the program killed that builds the container: both are of one group, until the one inside is known by its number.
 */
function kill(reader: Reader): void {
  const { child, pid } = reader;
  reader.killed = true;
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  for (const one of new Set([-child.pid, pid])) if (one !== 0) endAlone(one);
}

function endAlone(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}

/**
 * Has files read by code of others, one at a time, in a process that is started when needed, confined as well as the
 * machine allows, and ended when it takes too much. It sees the files of one owner alone: with those of another a new
 * process begins, so that one which a file has taken over finds nothing of anybody else.
 * @param module what that process runs; see `answer-orders.ts`.
 */
export function createSandbox<Order extends object, Made extends object>(
  module: URL,
  given: Partial<SandboxLimits> = {},
) {
  const limits = { ...LIMITS, ...given, bytes: mostBytes(given.bytes ?? LIMITS.bytes) };
  let reader: Reader | undefined;
  let idle: NodeJS.Timeout | undefined;

  function end(): void {
    clearTimeout(idle);
    if (reader) kill(reader);
    reader = undefined;
  }

  async function start(owner: string): Promise<Reader> {
    const level = given.confinement ?? (await confinement());
    const { command, args, filter, stdio } = confined(level, limits, [fileURLToPath(module)]);
    const child = spawn(command, args, { cwd: '/', env: ENVIRONMENT, stdio, detached: true });
    const nobody: Hears = {
      // It was asked nothing.
      answer: () => kill(started),
      nonsense() {},
      ended() {},
      failed() {},
    };
    const started: Reader = { child, pid: child.pid ?? 0, killed: false, owner, nobody, hear: nobody };
    const gone = () => {
      if (reader === started) reader = undefined;
    };
    child.once('exit', () => {
      gone();
      started.hear.ended();
    });
    child.once('error', (error) => {
      gone();
      started.hear.failed(error);
    });
    const answers = createUnframer({ text: ANSWER_TEXT, all: limits.answer });
    child.stdio[3]!.on('data', (piece: Buffer) => {
      try {
        for (const answer of answers.add(piece)) started.hear.answer(answer);
      } catch {
        started.hear.nonsense();
        kill(started);
      }
    });
    child.stdio[INFO_FD]?.on('data', (said: Buffer) => {
      const inside = Number(/"child-pid":\s*(\d+)/.exec(said.toString())?.[1]);
      if (!(inside > 0)) return;
      // It may have left the group, and not yet tied its life to the container's, when that was killed.
      if (started.killed) return endAlone(inside);
      standBack((started.pid = inside), limits.nice);
    });
    for (const stream of child.stdio) {
      // A process that ends early breaks off what is sent to it; its end is told by itself.
      stream?.on('error', () => {});
      (stream as Socket | null)?.unref();
    }
    if (filter) (child.stdio[FILTER_FD] as Writable).end(filter);
    // Before it begins another one, which is as expendable then.
    giveUpFirst(started.pid);
    standBack(started.pid, limits.nice);
    child.unref();
    return started;
  }

  async function readerFor(owner: string): Promise<Reader> {
    if (reader && reader.owner !== owner) end();
    return (reader ??= await start(owner));
  }

  /**
   * @param owner whose file it is: what is told apart from all others by it is never seen by one process.
   * @returns what was made, or why nothing was; both will be the same next time. Rejects only when nothing is known about
   * the file, as when `signal` has ended it.
   */
  async function make(order: Order, owner: string, signal: AbortSignal): Promise<Outcome<Made>> {
    signal.throwIfAborted();
    clearTimeout(idle);
    const working = await readerFor(owner);
    const outcome = await new Promise<Outcome<Made>>((resolve, reject) => {
      const settle = (said?: Outcome<Made>, error?: unknown) => {
        clearTimeout(patience);
        clearInterval(look);
        signal.removeEventListener('abort', end);
        working.hear = working.nobody;
        if (said) resolve(said);
        else reject(error as Error);
      };
      const kill = (fault: string) => {
        settle({ fault });
        end();
      };
      working.hear = {
        answer: (value) =>
          typeof value === 'object' && value ? settle(value as Made) : kill(TOO_MUCH.answer),
        nonsense: () => kill(TOO_MUCH.answer),
        failed: (error) => settle(undefined, error),
        // Ended by us: about the file, nothing is known.
        ended: () => (signal.aborted ? settle(undefined, signal.reason) : kill(TOO_MUCH.crash)),
      };
      const waits = limits.nice >= BEHIND_ALL;
      const had = waits ? processorMsOf(working.pid) : 0;
      const patience = setTimeout(() => kill(TOO_MUCH.time), limits.milliseconds * (waits ? SLACK : 1));
      const look = setInterval(() => {
        if (bytesOf(working.pid) > limits.bytes) kill(TOO_MUCH.memory);
        else if (waits && processorMsOf(working.pid) - had > limits.milliseconds) kill(TOO_MUCH.time);
      }, LOOK_MS);
      signal.addEventListener('abort', end);
      if (signal.aborted) end();
      for (const piece of framed(order)) working.child.stdin!.write(piece);
    });
    idle = setTimeout(end, limits.idleMs).unref();
    return outcome;
  }

  return {
    make,
    /** Ends the process, until the next order. */
    end,
  };
}
