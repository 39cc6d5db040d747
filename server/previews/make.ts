import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';

export interface MakerLimits {
  /** For one file. */
  milliseconds: number;
  /** Resident, of the whole process. */
  bytes: number;
  /** Of JavaScript's own values, in MiB. */
  heapMb: number;
  /** Without work, until the process is ended and its memory is free again. */
  idleMs: number;
  /** How far the process stands back behind others, from 0 to 19. */
  nice: number;
}

const LIMITS: MakerLimits = {
  milliseconds: 20_000,
  bytes: 900 * 1024 * 1024,
  heapMb: 256,
  idleMs: 20_000,
  nice: 10,
};
/** What is said of a file that was too much for the process; another fault is what the process itself says. */
export const TOO_MUCH = {
  time: 'It took too long.',
  memory: 'It took too much memory.',
  crash: 'It crashed the reader.',
} as const;
const LOOK_MS = 50;
const PAGE_BYTES = 4096;

/** Made, or told that it cannot be; both will be the same next time. */
export type Outcome<Made> = Made | { fault: string };
/** What the process answers. */
export type Answer<Made> = Outcome<Made> & { job: number };

/**
 * Has files read by code of others, one at a time, in a process that is started when needed and ended when it takes too
 * much.
 * @param module what that process runs: it answers each order of the type `Order & { job: number }` by an `Answer`.
 */
export function createMaker<Order extends object, Made extends object>(
  module: URL,
  given: Partial<MakerLimits> = {},
) {
  const limits = { ...LIMITS, ...given };
  let child: ChildProcess | undefined;
  let jobs = 0;
  let idle: NodeJS.Timeout | undefined;

  function start(): ChildProcess {
    const started = fork(module, {
      execArgv: [`--max-old-space-size=${limits.heapMb}`, '--no-warnings'],
      // Nothing of ours, above all no key.
      env: { PATH: process.env.PATH ?? '', ...(process.env.LANG && { LANG: process.env.LANG }) },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    started.once('exit', () => {
      if (child === started) child = undefined;
    });
    try {
      // Whoever waits for an answer of the server goes first.
      if (started.pid !== undefined) setPriority(started.pid, limits.nice);
    } catch {
      // Without it, the process takes its share.
    }
    started.unref();
    started.channel?.unref();
    return started;
  }

  function end(): void {
    clearTimeout(idle);
    child?.kill('SIGKILL');
    child = undefined;
  }

  async function tooLarge(pid: number): Promise<boolean> {
    const statm = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '');
    return Number(statm.split(' ')[1] ?? 0) * PAGE_BYTES > limits.bytes;
  }

  async function make(order: Order, signal: AbortSignal): Promise<Outcome<Made>> {
    signal.throwIfAborted();
    clearTimeout(idle);
    const job = (jobs += 1);
    const maker = (child ??= start());
    const outcome = await new Promise<Outcome<Made>>((resolve, reject) => {
      const settle = (said: Outcome<Made>) => {
        clearTimeout(patience);
        clearInterval(look);
        signal.removeEventListener('abort', end);
        maker.off('message', onMessage).off('exit', onExit).off('error', reject);
        resolve(said);
      };
      const kill = (fault: string) => {
        settle({ fault });
        end();
      };
      const onMessage = (made: Answer<Made>) => made.job === job && settle(made);
      const onExit = () => {
        // Ended by us: about the file, nothing is known.
        if (signal.aborted) reject(signal.reason as Error);
        kill(TOO_MUCH.crash);
      };
      signal.addEventListener('abort', end);
      const patience = setTimeout(() => kill(TOO_MUCH.time), limits.milliseconds);
      const look = setInterval(() => {
        void tooLarge(maker.pid ?? 0).then((large) => large && kill(TOO_MUCH.memory));
      }, LOOK_MS);
      maker.on('message', onMessage).once('exit', onExit).once('error', reject);
      maker.send({ ...order, job }, (error) => error && reject(error));
    });
    idle = setTimeout(end, limits.idleMs).unref();
    return outcome;
  }

  return {
    /** Rejects only when nothing is known about the file, as when `signal` has ended it. */
    make,
    /** Ends the process, until the next order. */
    end,
  };
}
