import type { Actor } from '#server/actor.ts';
import { PERMISSIONS } from '#server/permissions.ts';

/** An actor without a row in the database, for code that only checks permissions; an admin by default. */
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
