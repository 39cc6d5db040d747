import type { DeviceSelf } from '#server/devices/contract.ts';
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

/**
 * Vaults that currently accept nothing, each with one notice. They are polled and released when they respond; a
 * vault that ended the pairing is not polled.
 */
export function createHolds(dependencies: {
  vaults: Vaults;
  client: (vault: number) => VaultClient | undefined;
  first?: number;
  /** Called with each answer about the connection, before files are sent. */
  answered: (vault: number, self: DeviceSelf) => void;
  released: (vault: number) => void;
  notify: (vault: number, message: string) => void;
  changed: () => void;
}) {
  const held = new Map<number, Held & { tries: number; bytes: number; timer?: NodeJS.Timeout }>();

  function hold(vault: number, error: UploadError, bytes = 0): void {
    const previous = held.get(vault);
    const kind = error.hold ?? 'busy';
    const tries = previous?.hold === kind ? previous.tries : 0;
    clearTimeout(previous?.timer);
    if (previous?.hold !== kind) dependencies.notify(vault, error.message);
    const entry = { hold: kind, message: error.message, tries, bytes: Math.max(bytes, previous?.bytes ?? 0) };
    held.set(vault, entry);
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
      const { may_write, quota_left } = self;
      if (!may_write || (waiting.hold === 'full' && quota_left < waiting.bytes)) return schedule(vault);
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
    clearTimeout(held.get(vault)?.timer);
    held.delete(vault);
    dependencies.changed();
  }

  return {
    hold,
    of(vault: number): Held | undefined {
      const waiting = held.get(vault);
      return waiting && { hold: waiting.hold, message: waiting.message };
    },
    /** Polls now. */
    ask: (vault: number) => poll(vault),
    /** Called after pairing again or disconnecting. */
    forget: release,
    stop(): void {
      for (const { timer } of held.values()) clearTimeout(timer);
    },
  };
}
export type Holds = ReturnType<typeof createHolds>;
