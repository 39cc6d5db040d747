import type { Actor } from '#server/actor.ts';
import { outsideActor } from '#server/actor.ts';
import type { Door } from './contract.ts';

/**
 * The sender of a file as an actor. Files enter the drive in the name of the link's maker, whatever that user may do
 * by now, and only in the target of the link: only this room uses this actor.
 */
export const senderActor = (
  door: Door,
  visitor: string,
  permission: 'documents.write' | 'documents.delete' = 'documents.write',
): Actor =>
  outsideActor({
    userId: door.ownerId,
    firmId: door.firmId,
    permissions: ['documents.read', permission, 'documents.unassigned'],
    clientScope: 'all',
    recipient: { door: door.key, name: door.sender, firmName: door.firm, visitor },
  });
