import type { Actor } from '#server/actor.ts';
import type { Door } from './contract.ts';

/**
 * Whoever sends something in by a link. It is put into the drive in the name of the link's maker, whatever that person
 * may do by now, and nowhere but where the link leads: only this room acts as one.
 */
export const actorOf = (door: Door, visitor: string): Actor => ({
  userId: door.ownerId,
  firmId: door.firmId,
  sessionId: 0,
  role: 'viewer',
  permissions: ['documents.read', 'documents.write', 'documents.unassigned'],
  clientScope: 'all',
  seated: true,
  owesTwoStep: false,
  dailyDownloads: null,
  recipient: { door: door.key, name: door.sender, firmName: door.firm, visitor },
});
