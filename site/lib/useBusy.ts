import { useState } from 'react';

/** Runs one action at a time: a second press does nothing while the first is running. */
export function useBusy() {
  const [busy, setBusy] = useState(false);
  async function run(work: () => Promise<unknown>): Promise<void> {
    if (busy) return;
    setBusy(true);
    await work().finally(() => setBusy(false));
  }
  return { busy, run };
}
