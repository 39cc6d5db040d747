import type { DeviceView } from '#server/auth/contract.ts';

/** This device, then those that were used last. */
export const thisFirst = (devices: readonly DeviceView[]): DeviceView[] =>
  devices.toSorted(
    (a, b) =>
      Number(b.is_current) - Number(a.is_current) || Date.parse(b.last_used_at) - Date.parse(a.last_used_at),
  );
