import { setTimeout as wait } from 'node:timers/promises';
import type { Got } from '../visitor.ts';

/** Asks as a program does that does not give up: a process may be killed, or cut a connection, before it answers. */
export async function insisting(call: () => Promise<Got>): Promise<Got> {
  for (;;) {
    const got = await call().catch(() => null);
    if (got && got.status < 500 && got.status !== 409) return got;
    await wait(50);
  }
}
