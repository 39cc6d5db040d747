import type { ClientPages } from '../clients/import.ts';
import { keepLanguage } from '../clients/language.ts';
import type { Collecting } from '../collecting/service.ts';
import { createCollecting } from '../collecting/service.ts';
import type { Incoming } from '../documents/incoming/service.ts';
import { hasDropLink } from '../drop-links/of-client.ts';
import { createDrops } from '../drop-links/service.ts';
import type { OpenRequests } from '../http/open-requests.ts';
import { clientsWithPage } from '../portal/model.ts';
import { createPortal } from '../portal/service.ts';
import { shutOutRemoved, shutPagesOf } from '../portal/shut.ts';
import { followAddresses } from '../requests/client-address.ts';
import { countRequests, recordEnd } from '../requests/of-client.ts';
import { createRequests } from '../requests/service.ts';
import type { Sharing } from '../sharing/service.ts';
import type { CollectingDependencies } from '../collecting/service.ts';
import { settingsOf } from '../sharing/settings.ts';
import type { Foundation } from './foundation.ts';
import type { Dependencies } from './dependencies.ts';

/** What a change of a client means for those outside. @param late resolves what is built after the clients. */
export const clientPages = (
  { audit }: Pick<Foundation, 'audit'>,
  late: () => {
    openRequests: Pick<OpenRequests, 'cutLink'>;
    collecting: Pick<Collecting, 'cancelClosed' | 'forgetJudged'>;
  },
): ClientPages => ({
  shutOutRemoved,
  shutPagesOf,
  followAddresses,
  endingWith: async (db, clientId) => ({
    ...(await countRequests(db, clientId)),
    drop_link: await hasDropLink(db, clientId),
    page: (await clientsWithPage(db, [clientId])).has(clientId),
  }),
  recordEnd: (trx, ...of) => recordEnd(trx, { audit, collecting: late().collecting }, ...of),
  cutLink: (link) => late().openRequests.cutLink(link),
  cancelUploads: (firm_id) => late().collecting.cancelClosed({ firm_id }),
});

/** Document requests, drop links and client pages. */
export function composeOutside(
  { db, blobs, clock, log, secret }: Dependencies,
  { audit, attempts, mail, auth, branding, settings }: Foundation,
  {
    documents,
    incoming,
    records,
    resumable,
    paper,
    inspect,
    openRequests,
    sharing,
  }: Pick<CollectingDependencies, 'records' | 'resumable' | 'paper' | 'inspect'> & {
    documents: Parameters<typeof createRequests>[0]['documents'] & CollectingDependencies['documents'];
    incoming: Incoming;
    openRequests: OpenRequests;
    sharing: Pick<Sharing, 'sharedWith'>;
  },
) {
  const collecting = createCollecting({
    db,
    clock,
    log,
    blobs,
    audit,
    limits: attempts,
    documents,
    records,
    resumable,
    paper,
    ...(inspect && { inspect }),
    secret,
  });
  const requests = createRequests({
    db,
    clock,
    audit,
    mail,
    limits: attempts,
    documents,
    incoming,
    collecting,
    actorOf: auth.actorOfUser,
    keepLanguage: keepLanguage({ audit, clock }),
    sharingOn: async (db, firmId) => (await settingsOf(db, firmId)).enabled,
    logoOf: branding.urlOf,
    secret,
    baseUrl: settings.baseUrl,
  });
  const drops = createDrops({
    db,
    clock,
    audit,
    mail,
    incoming,
    collecting,
    sharingOn: async (on, firmId) => (await settingsOf(on, firmId)).enabled,
    logoOf: branding.urlOf,
    secret,
    baseUrl: settings.baseUrl,
  });
  const portal = createPortal({
    db,
    clock,
    audit,
    mail,
    limits: attempts,
    viewer: auth.viewer,
    sharingOn: async (on, firmId) => (await settingsOf(on, firmId)).enabled,
    logoOf: branding.urlOf,
    noteGuess: collecting.noteGuess,
    askedOf: requests.ofClient.asked,
    sentBy: requests.ofClient.receipts,
    sharedWith: sharing.sharedWith,
    dropOf: drops.pathFor,
    openRequests,
    secret,
    baseUrl: settings.baseUrl,
  });
  return { collecting, requests, drops, portal };
}
