import { setTimeout as wait } from 'node:timers/promises';
import type { TestResponse } from '../visitor.ts';

/** Retries a call like a persistent program: a process may be killed, or cut a connection, before it responds. */
export async function withRetries(call: () => Promise<TestResponse>): Promise<TestResponse> {
  for (;;) {
    const response = await call().catch(() => null);
    if (response && response.status < 500 && response.status !== 409) return response;
    await wait(50);
  }
}
