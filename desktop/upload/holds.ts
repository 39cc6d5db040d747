import type { DeviceSelf } from '#server/desktop/contract.ts';
import type { Vaults } from '#desktop/queue/vaults.ts';
import type { Hold } from './upload-error.ts';
import { disconnection, UploadError } from './upload-error.ts';
import type { VaultClient } from './vault-client.ts';

/** Ms until a vault on hold is contacted again: first delay, and maximum. */
const [FIRST_DELAY_MS, MAX_DELAY_MS] = [5000, 2 * 60_000];

export interface Held {
  hold: Hold;
  message: string;
}

interface Waiting extends Held {
  tries: number;
  /** Bytes for which a full vault has room: files up to this size are sent to it. */
  room: number;
  timer?: NodeJS.Timeout;
}

/**
 * Vaults that currently accept nothing, each with one notice. They are polled and released when they respond; a
 * vault that ended the pairing is not polled. One that is full still takes the files for which it has room.
 */
export function createHolds(dependencies: {
  vaults: Vaults;
  client: (vault: number) => VaultClient | undefined;
  first?: number;
  /** Called with each answer about the connection, before files are sent. */
  answered: (vault: number, self: DeviceSelf) => void;
  released: (vault: number) => void;
  /** Called when a full vault has said how much room it has. */
  hasRoom: () => void;
  /** Size of the largest file that waits for room in the vault; 0 if none does. */
  largest: (vault: number) => number;
  notify: (vault: number, message: string) => void;
  changed: () => void;
}) {
  const held = new Map<number, Waiting>();
  /** Vaults that were released, and to which no file has gone up since. */
  const released = new Map<number, Pick<Waiting, 'hold' | 'tries'>>();

  /** @param bytes the size of the file that a full vault has refused. */
  function hold(vault: number, error: UploadError, bytes = Infinity): void {
    const previous = held.get(vault);
    const kind = error.hold ?? 'busy';
    const last = previous ?? released.get(vault);
    const isSame = last?.hold === kind;
    clearTimeout(previous?.timer);
    if (!isSame) dependencies.notify(vault, error.message);
    // Smaller files may still fit, if the vault has said that it has room for any.
    const room = previous?.hold === 'full' ? Math.max(0, Math.min(previous.room, bytes - 1)) : 0;
    held.set(vault, { hold: kind, message: error.message, tries: isSame ? last.tries : 0, room });
    dependencies.changed();
    if (kind === 'ended') dependencies.vaults.end(vault);
    else schedule(vault, error.wait);
  }
  function schedule(vault: number, wait?: number): void {
    const entry = held.get(vault);
    if (!entry) return;
    const pause = wait ?? Math.min((dependencies.first ?? FIRST_DELAY_MS) * 2 ** entry.tries, MAX_DELAY_MS);
    entry.tries += 1;
    clearTimeout(entry.timer);
    entry.timer = setTimeout(() => void poll(vault).catch(() => schedule(vault)), pause);
  }
  async function poll(vault: number): Promise<void> {
    const client = dependencies.client(vault);
    const waiting = held.get(vault);
    if (!client || !waiting) return;
    try {
      const self = await client.me();
      if (!held.has(vault)) return;
      dependencies.answered(vault, self);
      if (!self.may_write) return schedule(vault);
      const now = held.get(vault);
      if (now?.hold === 'full' && self.quota_left < dependencies.largest(vault)) {
        now.room = self.quota_left;
        schedule(vault);
        return dependencies.hasRoom();
      }
      release(vault);
      dependencies.released(vault);
    } catch (error) {
      if (!held.has(vault)) return;
      const problem = disconnection(error);
      hold(
        vault,
        problem instanceof UploadError && problem.kind === 'hold'
          ? problem
          : new UploadError('hold', waiting.message, waiting),
      );
    }
  }
  function release(vault: number): void {
    const waiting = held.get(vault);
    clearTimeout(waiting?.timer);
    if (waiting) released.set(vault, waiting);
    held.delete(vault);
    dependencies.changed();
  }

  return {
    hold,
    of(vault: number): Held | undefined {
      const waiting = held.get(vault);
      if (!waiting) return undefined;
      const { hold, message, room } = waiting;
      return { hold, message: room > 0 ? `${message} Smaller files go up meanwhile.` : message };
    },
    /** Files up to this size may be sent: 0 while the vault accepts nothing. */
    room: (vault: number): number => held.get(vault)?.room ?? Number.MAX_SAFE_INTEGER,
    /** A file has gone up. @returns whether it is the first one after a hold. */
    wentUp: (vault: number): boolean => released.delete(vault),
    /** Polls now. */
    ask: (vault: number) => poll(vault),
    /** Called after pairing again or disconnecting. */
    forget(vault: number): void {
      release(vault);
      released.delete(vault);
    },
    stop(): void {
      for (const { timer } of held.values()) clearTimeout(timer);
    },
  };
}
export type Holds = ReturnType<typeof createHolds>;
