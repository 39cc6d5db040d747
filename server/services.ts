import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { BlobStore } from '#storage/blobs.ts';
import { createAccess } from './access/service.ts';
import { createExtraction } from './archive/extract/service.ts';
import { createArchiveViewer } from './archive/view/service.ts';
import { createArchive } from './archive/service.ts';
import { createAudit } from './audit/service.ts';
import { initials } from './auth/contract.ts';
import { permissionsOf } from './auth/policy.ts';
import type { Passwords } from './auth/passwords.ts';
import { createPasswords } from './auth/passwords.ts';
import { createAuth } from './auth/service.ts';
import { createClients } from './clients/service.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config/config.ts';
import { createDashboard } from './dashboard/service.ts';
import { LINKING, registerLinking } from './documents/changes/link-later.ts';
import type { Filing } from './documents/changes/set-client.ts';
import { createDetails } from './documents/details/service.ts';
import { createDuplicates } from './documents/duplicates/service.ts';
import { createLabels } from './documents/labels/service.ts';
import { createNotes } from './documents/notes/service.ts';
import { createDocuments } from './documents/service.ts';
import { TRASH_DAYS } from './documents/trash/contract.ts';
import { createExpiry } from './documents/trash/forget.ts';
import { createHolds } from './documents/holds/service.ts';
import { createSeals } from './documents/seals/service.ts';
import { createTrash } from './documents/trash/service.ts';
import { VERSIONS_KEPT, VERSION_DAYS } from './documents/versions/contract.ts';
import { createVersions } from './documents/versions/service.ts';
import { createThinning } from './documents/versions/thin.ts';
import { createKept } from './links/kept.ts';
import { createDailyLimit } from './links/daily-limit.ts';
import { createLinks } from './links/links.ts';
import { createRecording } from './links/record.ts';
import { createDownloads } from './downloads/service.ts';
import { createEvents } from './events/service.ts';
import { createExports } from './exports/service.ts';
import { createDeferredWrites } from './db/deferred-writes.ts';
import type { DeletionLock } from './datadir/deletion-lock.ts';
import { createOpenRequests } from './http/open-requests.ts';
import { createRateLimiter } from './http/rate-limiter.ts';
import { createJobs } from './jobs/service.ts';
import { createMail } from './mail/service.ts';
import type { Transport } from './mail/transport.ts';
import { createInvoices } from './invoices/service.ts';
import { createPayments } from './payments/service.ts';
import { createPreviews } from './previews/service.ts';
import { createColumnSealer, SEALED } from './datadir/sealing.ts';
import { createReading } from './reading/service.ts';
import { recurringJobs } from './recurring.ts';
import { createRecords } from './records/service.ts';
import { createSheets } from './sheets/service.ts';
import { createSharing } from './sharing/service.ts';
import { createSearch } from './search/service.ts';
import { createSubscription } from './subscription/service.ts';
import { createTeam } from './team/service.ts';
import { createTemplates } from './templates/service.ts';
import { createResumable } from './uploads/resumable.ts';
import { createUploads } from './uploads/service.ts';
import { createSweeper } from './uploads/sweeper.ts';

export interface Parts {
  db: Knex;
  blobs: BlobStore;
  clock: Clock;
  log: Logger;
  config: Pick<Config, 'abuseLimits'> &
    Partial<
      Pick<
        Config,
        'appName' | 'baseUrl' | 'mail' | 'gateway' | 'invoicing' | 'trashDays' | 'reading' | 'versions'
      >
    >;
  /** 32 bytes; download links are sealed with what is derived from it. */
  secret: Buffer;
  /** Where e-mails go; left out, they wait. */
  transport?: Transport;
  /** How passwords are hashed; left out, at the cost that a server owes its users. */
  passwords?: Passwords;
  /** Keeps the deletion of bytes and a running backup apart; left out where no backup can run. */
  deletionLock?: DeletionLock;
}

/** Builds every service out of what it needs; here and nowhere else do the modules meet. */
export function compose(parts: Parts) {
  const { db, blobs, clock, log, config, secret, transport, deletionLock } = parts;
  const { passwords = createPasswords() } = parts;
  const {
    appName = 'Almirah',
    baseUrl = 'http://localhost:3000',
    trashDays = TRASH_DAYS,
    reading: reads = false,
  } = config;
  const rule = config.versions ?? { days: VERSION_DAYS, most: VERSIONS_KEPT };
  const deferred = createDeferredWrites({ log });
  const audit = createAudit({
    db,
    clock,
    deferred,
    seal: createColumnSealer(secret, SEALED.history.purpose),
    announce: (...told) => events.announce(...told),
  });
  const attempts = createRateLimiter({ db, clock, enabled: config.abuseLimits });
  const jobs = createJobs({
    db,
    clock,
    log,
    changed: (firmId, userId) => events.tell(firmId, [{ kind: 'jobs', userId }]),
  });
  const mail = createMail({
    clock,
    jobs,
    seal: createColumnSealer(secret, SEALED.emails.purpose),
    ...(transport && { transport }),
    settings: { appName, baseUrl, mailFrom: config.mail?.from ?? 'almirah@localhost' },
  });
  const auth = createAuth({
    db,
    clock,
    log,
    audit,
    deferred,
    limits: attempts,
    passwords,
    mail,
    seal: createColumnSealer(secret, SEALED.twoStep.purpose),
    settings: { appName, baseUrl },
  });
  const events = createEvents({
    log,
    actorOfSession: auth.actorOfSession,
    standing: auth.standing,
    sightOf: (actor) => access.sightOf(actor),
  });
  const access = createAccess({ db, audit, permissionsOf, initials });
  const records = createRecords({ db, clock });
  const subscription = createSubscription({
    db,
    clock,
    audit,
    firmOf: auth.registry.firmOf,
    used: async (actor) =>
      (await documents.total(actor)).bytes + (await trash.bytes(actor)) + (await versions.bytes(actor)),
  });
  const invoices = createInvoices({
    db,
    clock,
    log,
    audit,
    mail,
    jobs,
    registry: auth.registry,
    settings: config.invoicing ?? { seller: null, prefix: 'AL', sac: '', appName },
    billingUrl: `${baseUrl}/subscription-plans`,
  });
  const payments = createPayments({
    db,
    clock,
    log,
    audit,
    jobs,
    limits: attempts,
    settings: config.gateway ?? null,
    planOnSale: subscription.planOnSale,
    viewer: auth.viewer,
    activate: subscription.activate,
    revoke: subscription.revoke,
    onPaid: invoices.issue,
    invoicesOf: invoices.ofPayments,
  });
  const daily = createDailyLimit({ db, clock, audit, mail, settings: { appName, baseUrl } });
  const links = createLinks({ secret, clock, actorOfSession: auth.actorOfSession });
  const filing: Filing = {
    db,
    clock,
    audit,
    limits: subscription.limits,
    trashDays,
    linkLater: async (trx, { firmId }, link) => {
      const message = 'Linking what lies in folders';
      await jobs.enqueue(trx, {
        kind: LINKING,
        subject: 'contents',
        input: { link },
        message,
        firm_id: firmId,
      });
    },
  };
  const documents = createDocuments({ ...filing, deferred, links, daily });
  const details = createDetails({ db });
  const notes = createNotes({ db, clock, audit });
  const duplicates = createDuplicates({ db });
  const labels = createLabels({ db, clock, audit });
  const trash = createTrash(filing);
  const holds = createHolds({ db, clock, audit });
  const seals = createSeals({ db, clock, audit, prove: auth.prove });
  const expiry = createExpiry(filing);
  const versions = createVersions({ db, clock, audit, blobs, links, daily, rule });
  const thinning = createThinning(filing, rule);
  registerLinking({ jobs, db });
  const sheets = createSheets({ jobs });
  const clients = createClients({
    db,
    clock,
    audit,
    sheets,
    records,
    documents,
    daily,
    holds,
  });
  const templates = createTemplates({ db, clock, audit, documents, named: clients.named });
  const dashboard = createDashboard({ clock, documents, clients, subscription, trash, versions });
  const extraction = createExtraction({ db, audit, documents, records, jobs, blobs });
  const record = createRecording({ audit, clock, daily });
  const archiveViewer = createArchiveViewer({
    documents,
    blobs,
    record,
    daily,
    kept: createKept({ links, clock }),
  });
  const uploads = createUploads({ documents, records, blobs });
  const resumable = createResumable({
    db,
    clock,
    blobs,
    documents,
    records,
    actorOfSession: auth.actorOfSession,
  });
  const sweeper = createSweeper({ records, blobs, clock, ...(deletionLock && { deletionLock }) });
  const archive = createArchive({ records, blobs });
  const downloads = createDownloads({
    documents,
    clients,
    archive,
    blobs,
    record,
    clock,
    links,
    daily,
  });
  const previews = createPreviews({
    documents,
    records,
    blobs,
    jobs,
    audit,
    log,
    clock,
    daily,
    viewer: (actor) =>
      actor.recipient
        ? Promise.resolve({ name: actor.recipient.name, firm_name: actor.recipient.firmName })
        : auth.viewer(actor),
  });
  const reading = createReading({
    db,
    clock,
    log,
    blobs,
    audit,
    documents,
    records,
    seal: createColumnSealer(secret, SEALED.textIndex.purpose),
    on: reads,
  });
  const search = createSearch({
    db,
    views: documents.views,
    clients,
    texts: reading,
    labelled: labels.bearing,
  });
  const exports = createExports({
    clock,
    audit,
    documents,
    details,
    clients,
    blobs,
    links,
    daily,
    appName,
  });
  const openRequests = createOpenRequests();
  const sharing = createSharing({
    db,
    clock,
    blobs,
    audit,
    mail,
    limits: attempts,
    daily,
    archive,
    documents,
    previews,
    actorOf: auth.actorOfUser,
    viewer: auth.viewer,
    passwords: auth.passwords,
    openRequests,
    secret,
    baseUrl,
  });
  const team = createTeam({
    db,
    clock,
    audit,
    limits: attempts,
    mail,
    auth,
    downloadedToday: daily.today,
    usersAllowed: async (trx, firmId) => (await subscription.limits(trx, firmId)).users,
    endWork: {
      connections: openRequests.cut,
      uploads: resumable.cancelAllOf,
      jobs: jobs.cancelAllOf,
    },
    settings: { appName, baseUrl },
  });
  const recurring = recurringJobs({
    auth,
    clients,
    daily,
    expiry,
    jobs,
    payments,
    reading: reads ? reading : null,
    records,
    resumable,
    sharing,
    sweeper,
    thinning,
  });
  for (const [kind, job] of Object.entries(recurring)) jobs.repeat(kind, job);

  return {
    audit,
    deferred,
    events,
    mail,
    auth,
    access,
    daily,
    team,
    openRequests,
    subscription,
    payments,
    invoices,
    documents,
    details,
    notes,
    labels,
    duplicates,
    trash,
    seals,
    versions,
    holds,
    records,
    search,
    clients,
    templates,
    dashboard,
    uploads,
    resumable,
    sweeper,
    archive,
    downloads,
    previews,
    reading,
    exports,
    sharing,
    jobs,
    extraction,
    archiveViewer,
    /** Begins the work that nobody asks for by a request. */
    start(): void {
      if (transport) log.info(transport.means);
      void jobs.start(records.recover);
    },
    /** Ends it; resolves when nothing of it runs any more. */
    async stop(): Promise<void> {
      events.stop();
      await Promise.all([jobs.stop(), resumable.stop()]);
      await deferred.stop();
      previews.stop();
      reading.stop();
      mail.stop();
    },
  };
}
export type Services = ReturnType<typeof compose>;
