import type { Actor } from '#server/actor.ts';
import { createDerivedTokens } from '#server/links/derived-tokens.ts';
import { createDoors } from './doors.ts';
import { createClientPage } from './client-page.ts';
import { createJudging } from './judging.ts';
import { createOffice } from './office.ts';
import type { RequestsDependencies } from './dependencies.ts';
import { createReminders } from './reminders.ts';
import { createReturns } from './returns.ts';
import { createSenders } from './senders.ts';
import { createTemplates } from './templates.ts';
import { requestsCsv } from './views.ts';

/** Requests for documents from clients: lists of documents, each with its own link. */
export function createRequests(dependencies: RequestsDependencies) {
  const tokens = createDerivedTokens(dependencies.secret, 'request link', 'requests');
  const doors = createDoors(dependencies);
  const returns = createReturns(dependencies, tokens);
  const reminders = createReminders(dependencies, tokens, returns);
  dependencies.collecting.kind('request', doors);
  dependencies.incoming.registerLinkFolders((db, of) =>
    db('requests').where(of).whereNotNull('folder_id').pluck('folder_id'),
  );

  return {
    office: {
      ...createOffice(dependencies, tokens, reminders, returns),
      ...createJudging(dependencies, returns),
    },
    templates: createTemplates(dependencies),
    /** Operations for visitors with a link. */
    senders: createSenders(dependencies, tokens, doors),
    /** The part of a client's page about requests. */
    ofClient: createClientPage(dependencies, tokens),
    /** All requests with their states, for the export of a firm. */
    csv: (actor: Actor): Promise<string> => requestsCsv(dependencies, actor),
    sendReminders: reminders.sendDue,
    notifyOffice: reminders.notifyOffice,
    returnsDue: returns.anyDue,
    tellReturns: returns.tellDue,
  };
}
export type Requests = ReturnType<typeof createRequests>;
