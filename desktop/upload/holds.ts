import type { Vaults } from '#desktop/queue/vaults.ts';
import type { Hold } from './trouble.ts';
import { disconnection, Trouble } from './trouble.ts';
import type { VaultClient } from './vault-client.ts';

/** Milliseconds until a held vault is asked again: the first time, and the most. */
const [FIRST, MOST] = [5000, 2 * 60_000];

export interface Held {
  hold: Hold;
  message: string;
}

/**
 * Vaults that take nothing at present, each with one notice. They are asked again by themselves, and let go when they answer;
 * a vault that ended the pairing is not asked.
 */
export function createHolds(use: {
  vaults: Vaults;
  client: (vault: number) => VaultClient | undefined;
  first?: number;
  released: (vault: number) => void;
  noted: (vault: number, message: string) => void;
  changed: () => void;
}) {
  const held = new Map<number, Held & { tries: number; bytes: number; timer?: NodeJS.Timeout }>();

  function hold(vault: number, trouble: Trouble, bytes = 0): void {
    const before = held.get(vault);
    const kind = trouble.hold ?? 'busy';
    const tries = before?.hold === kind ? before.tries : 0;
    clearTimeout(before?.timer);
    if (before?.hold !== kind) use.noted(vault, trouble.message);
    const one = { hold: kind, message: trouble.message, tries, bytes: Math.max(bytes, before?.bytes ?? 0) };
    held.set(vault, one);
    use.changed();
    if (kind === 'ended') use.vaults.end(vault);
    else plan(vault, trouble.wait);
  }
  function plan(vault: number, wait?: number): void {
    const one = held.get(vault);
    if (!one) return;
    const pause = wait ?? Math.min((use.first ?? FIRST) * 2 ** one.tries, MOST);
    one.tries += 1;
    clearTimeout(one.timer);
    one.timer = setTimeout(() => void ask(vault), pause);
  }
  async function ask(vault: number): Promise<void> {
    const client = use.client(vault);
    const one = held.get(vault);
    if (!client || !one) return;
    try {
      const { may_write, quota_left } = await client.me();
      if (!held.has(vault)) return;
      if (!may_write || (one.hold === 'full' && quota_left < one.bytes)) return plan(vault);
      release(vault);
      use.released(vault);
    } catch (error) {
      if (!held.has(vault)) return;
      const told = disconnection(error);
      hold(
        vault,
        told instanceof Trouble && told.kind === 'hold' ? told : new Trouble('hold', one.message, one),
      );
    }
  }
  function release(vault: number): void {
    clearTimeout(held.get(vault)?.timer);
    held.delete(vault);
    use.changed();
  }

  return {
    hold,
    of(vault: number): Held | undefined {
      const one = held.get(vault);
      return one && { hold: one.hold, message: one.message };
    },
    /** Asks now. */
    ask: (vault: number) => ask(vault),
    /** Paired again, or gone. */
    forget: release,
    stop(): void {
      for (const { timer } of held.values()) clearTimeout(timer);
    },
  };
}
export type Holds = ReturnType<typeof createHolds>;
