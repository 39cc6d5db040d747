import type { Actor } from '#server/actor.ts';
import { createDerivedTokens } from '#server/links/derived-tokens.ts';
import { createDoors } from './doors.ts';
import { createClientPage } from './client-page.ts';
import { createOffice } from './office.ts';
import type { RequestsParts } from './parts.ts';
import { createReminders } from './reminders.ts';
import { createSenders } from './senders.ts';
import { createTemplates } from './templates.ts';
import { requestsCsv } from './views.ts';

/** Requests for documents from clients: lists of documents, each with its own link. */
export function createRequests(parts: RequestsParts) {
  const tokens = createDerivedTokens(parts.secret, 'request link', 'requests');
  const doors = createDoors(parts);
  const reminders = createReminders(parts, tokens);
  parts.collecting.kind('request', doors);

  return {
    office: createOffice(parts, tokens, reminders),
    templates: createTemplates(parts),
    /** Operations for visitors with a link. */
    senders: createSenders(parts, tokens, doors),
    /** The part of a client's page about requests. */
    ofClient: createClientPage(parts, tokens),
    /** All requests with their states, for the export of a firm. */
    csv: (actor: Actor): Promise<string> => requestsCsv(parts.db, actor),
    sendReminders: reminders.sendDue,
    notifyOffice: reminders.notifyOffice,
  };
}
export type Requests = ReturnType<typeof createRequests>;
