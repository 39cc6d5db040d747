import type { Actor } from '#server/actor.ts';
import { createDoors } from './doors.ts';
import { createOfClient } from './of-client.ts';
import { createOffice } from './office.ts';
import type { RequestsParts } from './parts.ts';
import { createReminders } from './reminders.ts';
import { createSenders } from './senders.ts';
import { createTemplates } from './templates.ts';
import { createTokens } from './tokens.ts';
import { requestsCsv } from './views.ts';

/** What a firm asks its clients for: lists of documents, each by a link of its own, and what becomes of them. */
export function createRequests(parts: RequestsParts) {
  const tokens = createTokens(parts.secret);
  const doors = createDoors(parts);
  const reminders = createReminders(parts, tokens);
  parts.collecting.kind('request', doors);

  return {
    office: createOffice(parts, tokens, reminders),
    templates: createTemplates(parts),
    /** What follows is asked by whoever comes with a link. */
    senders: createSenders(parts, tokens, doors),
    /** For the client's own page. */
    ofClient: createOfClient(parts, tokens),
    /** What was asked for and what became of it, for the export of a firm. */
    csv: (actor: Actor): Promise<string> => requestsCsv(parts.db, actor),
    sendReminders: reminders.sendDue,
    tell: reminders.tell,
  };
}
export type Requests = ReturnType<typeof createRequests>;
