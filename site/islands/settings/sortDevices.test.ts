import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { DeviceView } from '#server/auth/contract.ts';
import { sortDevices } from './sortDevices.ts';

test('this device comes first, then the last used ones, since only five are shown at first', () => {
  const device = (id: number, last_used_at: string, is_current = false) =>
    ({ id, last_used_at, is_current }) as DeviceView;
  const devices = [
    device(1, '2026-11-20T10:00:00.000Z'),
    device(2, '2026-11-22T10:00:00.000Z'),
    device(3, '2026-11-21T10:00:00.000Z', true),
  ];
  assert.equal(
    sortDevices(devices).map(({ id }) => id),
    [3, 2, 1],
  );
});

test.run();
