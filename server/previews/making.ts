import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import type { Made, Order } from './maker.ts';

export interface MakerLimits {
  /** For one picture. */
  milliseconds: number;
  /** Resident, of the whole process. */
  bytes: number;
  /** Without work, until the process is ended and its memory is free again. */
  idleMs: number;
}

const LIMITS: MakerLimits = { milliseconds: 20_000, bytes: 900 * 1024 * 1024, idleMs: 20_000 };
const LOOK_MS = 50;
const PAGE_BYTES = 4096;

/** Made, or told that it cannot be; both will be the same next time. */
export type Outcome = { picture: Buffer; pages: number } | { fault: string };

/** Makes pictures, one at a time, in a process that is started when needed and ended when it takes too much. */
export function createMaker(given: Partial<MakerLimits> = {}) {
  const limits = { ...LIMITS, ...given };
  let child: ChildProcess | undefined;
  let jobs = 0;
  let idle: NodeJS.Timeout | undefined;

  function start(): ChildProcess {
    const started = fork(new URL('./maker.ts', import.meta.url), {
      execArgv: ['--max-old-space-size=256', '--no-warnings'],
      // Nothing of ours, above all no key.
      env: { PATH: process.env.PATH ?? '', ...(process.env.LANG && { LANG: process.env.LANG }) },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    started.once('exit', () => {
      if (child === started) child = undefined;
    });
    try {
      // Whoever waits for a page goes first.
      if (started.pid !== undefined) setPriority(started.pid, 10);
    } catch {
      // Without it, pictures take their share.
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

  async function make(order: Omit<Order, 'job'>, signal: AbortSignal): Promise<Outcome> {
    signal.throwIfAborted();
    clearTimeout(idle);
    const job = (jobs += 1);
    const maker = (child ??= start());
    const outcome = await new Promise<Outcome>((resolve, reject) => {
      const settle = (said: Outcome) => {
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
      const onMessage = (made: Made) => {
        if (made.job !== job) return;
        settle(
          'fault' in made ? { fault: made.fault } : { picture: Buffer.from(made.picture), pages: made.pages },
        );
      };
      const onExit = () => {
        // Ended by us: about the file, nothing is known.
        if (signal.aborted) reject(signal.reason as Error);
        kill('It crashed the reader.');
      };
      signal.addEventListener('abort', end);
      const patience = setTimeout(() => kill('It took too long.'), limits.milliseconds);
      const look = setInterval(() => {
        void tooLarge(maker.pid ?? 0).then((large) => large && kill('It took too much memory.'));
      }, LOOK_MS);
      maker.on('message', onMessage).once('exit', onExit).once('error', reject);
      maker.send({ ...order, job } satisfies Order, (error) => error && reject(error));
    });
    idle = setTimeout(end, limits.idleMs).unref();
    return outcome;
  }

  return {
    /** Rejects only when nothing is known about the file, as when `signal` has ended it. */
    make,
    /** Ends the process, until the next picture. */
    end,
  };
}
export type Maker = ReturnType<typeof createMaker>;
