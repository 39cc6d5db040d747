import { setTimeout as wait } from 'node:timers/promises';
import type { TestResponse } from '../visitor.ts';

/** Retries a call like a persistent program: a process may be killed, or cut a connection, before it responds. */
export async function withRetries(call: () => Promise<TestResponse>): Promise<TestResponse> {
  for (;;) {
    const got = await call().catch(() => null);
    if (got && got.status < 500 && got.status !== 409) return got;
    await wait(50);
  }
}
