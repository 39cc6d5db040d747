import { LINK_CONTENTS, registerLinking } from '../documents/changes/link-jobs.ts';
import type { LinkingDependencies } from '../documents/changes/set-client.ts';
import { createDetails } from '../documents/details/service.ts';
import { createDuplicates } from '../documents/duplicates/service.ts';
import { createLabels } from '../documents/labels/service.ts';
import { createNotes } from '../documents/notes/service.ts';
import type { DocumentDependencies } from '../documents/service.ts';
import { createDocuments } from '../documents/service.ts';
import { TRASH_DAYS } from '../documents/trash/contract.ts';
import { createExpiry } from '../documents/trash/delete-forever.ts';
import { createIncoming } from '../documents/incoming/service.ts';
import { createLegalHolds } from '../documents/legal-holds/service.ts';
import { DESTROYING, createDestructions, destroying } from '../documents/retention/destructions.ts';
import { createRetention } from '../documents/retention/service.ts';
import { createSeals } from '../documents/seals/service.ts';
import { createTrash } from '../documents/trash/service.ts';
import { VERSIONS_KEPT, VERSION_DAYS } from '../documents/versions/contract.ts';
import { createVersions } from '../documents/versions/service.ts';
import { createThinning } from '../documents/versions/thin.ts';
import type { DailyLimit } from '../links/daily-limit.ts';
import type { Links } from '../links/links.ts';
import type { Foundation } from './foundation.ts';
import type { Dependencies } from './dependencies.ts';

/** Files and folders, and everything attached to them. */
export function composeDrive(
  { db, blobs, clock, config }: Dependencies,
  { audit, jobs, auth, deferred, deletionClock }: Foundation,
  {
    limits,
    links,
    daily,
    searches,
    requireClean,
  }: {
    limits: LinkingDependencies['limits'];
    links: Links;
    daily: DailyLimit;
    searches: DocumentDependencies['searches'];
    requireClean: DocumentDependencies['requireClean'];
  },
) {
  const { trashDays = TRASH_DAYS } = config;
  const settled = deletionClock.now;
  const rule = config.versions ?? { days: VERSION_DAYS, most: VERSIONS_KEPT };
  const filing: LinkingDependencies = {
    db,
    clock,
    audit,
    limits,
    trashDays,
    linkLater: async (trx, { firmId }, link) => {
      const message = 'Linking what lies in folders';
      await jobs.enqueue(trx, {
        kind: LINK_CONTENTS,
        subject: 'contents',
        input: { link },
        message,
        firm_id: firmId,
      });
    },
  };
  const documents = createDocuments({ ...filing, deferred, links, daily, searches, requireClean });
  const details = createDetails({ db });
  const notes = createNotes({ db, clock, audit });
  const duplicates = createDuplicates({ db });
  const incoming = createIncoming(filing);
  const labels = createLabels({ db, clock, audit });
  const trash = createTrash(filing);
  const holds = createLegalHolds({ db, clock, audit });
  const retention = createRetention({ db, clock, audit });
  const destructions = createDestructions({
    db,
    clock,
    settled,
    audit,
    prove: auth.prove,
    viewer: auth.viewer,
    enqueue: async (trx, firm_id, destruction) => {
      const message = 'Destroying files whose retention period has ended';
      await jobs.enqueue(trx, {
        kind: DESTROYING,
        subject: `destruction:${destruction}`,
        input: { destruction },
        message,
        firm_id,
      });
    },
  });
  jobs.register(DESTROYING, destroying({ db, clock, settled, audit }));
  const seals = createSeals({ db, clock, audit, prove: auth.prove });
  const expiry = createExpiry({ ...filing, settled });
  const versions = createVersions({ db, clock, audit, blobs, links, daily, rule });
  const thinning = createThinning({ ...filing, settled }, rule);
  registerLinking({ jobs, db });
  return {
    documents,
    details,
    notes,
    duplicates,
    incoming,
    labels,
    trash,
    expiry,
    holds,
    retention,
    destructions,
    seals,
    versions,
    thinning,
  };
}
