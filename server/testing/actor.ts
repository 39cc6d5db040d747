import type { Actor } from '#server/actor.ts';
import { PERMISSIONS } from '#server/actor.ts';

/** An actor that no row stands behind, for what asks only what it may do: an admin, unless the test says otherwise. */
export const testActor = (of: Partial<Actor> = {}): Actor => ({
  userId: 1,
  firmId: 1,
  sessionId: 1,
  role: 'admin',
  permissions: PERMISSIONS,
  clientScope: 'all',
  seated: true,
  owesTwoStep: false,
  dailyDownloads: null,
  ...of,
});
