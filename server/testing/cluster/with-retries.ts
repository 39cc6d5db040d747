import { setTimeout as wait } from 'node:timers/promises';
import type { TestResponse } from '../visitor.ts';

/** Asks as a program does that does not give up: a process may be killed, or cut a connection, before it answers. */
export async function withRetries(call: () => Promise<TestResponse>): Promise<TestResponse> {
  for (;;) {
    const got = await call().catch(() => null);
    if (got && got.status < 500 && got.status !== 409) return got;
    await wait(50);
  }
}
