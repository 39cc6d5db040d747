import type { DeviceView } from '#server/auth/contract.ts';

/** The current device first, then the others by last use. */
export const sortDevices = (devices: readonly DeviceView[]): DeviceView[] =>
  devices.toSorted(
    (a, b) =>
      Number(b.is_current) - Number(a.is_current) || Date.parse(b.last_used_at) - Date.parse(a.last_used_at),
  );
