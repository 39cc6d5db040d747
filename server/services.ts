import { createExtraction } from './archive/extract/service.ts';
import { createArchive } from './archive/service.ts';
import { createClients } from './clients/service.ts';
import type { Fields } from './fields/service.ts';
import { createDashboard } from './dashboard/service.ts';
import { createDailyLimit } from './links/daily-limit.ts';
import { createLinks } from './links/links.ts';
import { createDownloadRecorder, RECORD_WINDOW_MS } from './links/record-download.ts';
import { oneProcess } from './db/one-process.ts';
import { composeProcesses, createSharedState } from './services/processes.ts';
import { createUploadTargets } from './desktop/upload-targets.ts';
import { createDownloads } from './downloads/service.ts';
import { createExports } from './exports/service.ts';
import { createOpenRequests } from './http/open-requests.ts';
import { recurringJobs } from './recurring.ts';
import { tryLockedOfChanged } from './reading/locked/try-again.ts';
import { createRecords } from './records/service.ts';
import { createSheets } from './sheets/service.ts';
import { createClamd } from './scanning/clamd.ts';
import { createQuarantine } from './scanning/quarantine.ts';
import { createScanning } from './scanning/service.ts';
import { clientsWithPage } from './portal/model.ts';
import { OPENING_MS } from './sharing/openings.ts';
import { createSharing } from './sharing/service.ts';
import { createFiling } from './filing/service.ts';
import { createSearch } from './search/service.ts';
import { createTemplates } from './templates/service.ts';
import { createSweeper } from './records/sweeper.ts';
import { composeAdministration } from './services/administration.ts';
import { composeDav } from './services/dav.ts';
import { composeDesktop } from './services/desktop.ts';
import { composeDrive } from './services/drive.ts';
import { composeFoundation } from './services/foundation.ts';
import { composeReading } from './services/reading.ts';
import { composeMoney } from './services/money.ts';
import { clientPages, composeOutside } from './services/outside.ts';
import { composeReceiving } from './services/receiving.ts';
import { composeViewing } from './services/viewing.ts';
import type { Dependencies } from './services/dependencies.ts';

export type { Dependencies };

/** Builds all services from their dependencies; the only place where modules are connected. */
export function compose(dependencies: Dependencies) {
  const { db, blobs: store, clock, log, config, secret, transport } = dependencies;
  const { deletionLock, otherDatabases, processes = oneProcess() } = dependencies;
  const shared = createSharedState({ ...dependencies, processes });
  const quarantine = createQuarantine({ db, several: processes.several });
  // Every reader of bytes goes through the quarantine; only the scanner and the sweeper get the plain store.
  const blobs = quarantine.guard(store);
  const reads = config.reading ?? false;
  const foundation = composeFoundation(
    { ...dependencies, processes },
    { drawLogo: (bytes, firmId) => previews.logo(firmId, bytes) },
  );
  const { deferred, audit, deletionClock, attempts, jobs, mail, branding, auth, events, access, settings } =
    foundation;
  const { appName, baseUrl } = settings;
  const records = createRecords({ db, clock });
  const money = composeMoney(
    dependencies,
    foundation,
    async (actor) =>
      (await documents.total(actor)).bytes + (await trash.bytes(actor)) + (await versions.bytes(actor)),
  );
  const { subscription, payments } = money;
  const daily = createDailyLimit({ db, clock, audit, mail, settings });
  const links = createLinks({ secret, clock, actorOfSession: auth.actorOfSession });
  const drive = composeDrive({ ...dependencies, blobs }, foundation, {
    limits: subscription.limits,
    links,
    daily,
    requireClean: quarantine.requireClean,
    searches: {
      parseSearch: (actor, text) => search.parseSearch(actor, text),
      listedInside: (actor, parsed) => search.listedInside(actor, parsed),
    },
  });
  const { documents, details, labels, trash, expiry, destructions, versions, thinning } = drive;
  const sheets = createSheets({ jobs });
  // Late-bound: `fields` depends on `clients` (through PDF passwords) and is built after it.
  const filesByYear: Fields['filesByYear'] = (...of) => fields.filesByYear(...of);
  const clients = createClients({
    ...drive,
    db,
    clock,
    audit,
    sheets,
    records,
    daily,
    withPage: clientsWithPage,
    pages: clientPages(foundation, () => ({ openRequests, collecting: outside.collecting })),
    dataChanged: tryLockedOfChanged,
    filesByYear,
  });
  const templates = createTemplates({ db, clock, audit, documents, visibleClients: clients.named });
  const dashboard = createDashboard({ clock, documents, clients, subscription, trash, versions });
  const extraction = createExtraction({
    db,
    deferred,
    audit,
    documents,
    records,
    jobs,
    blobs,
    holdProgram: (...of) => scanning.holdProgram(...of),
    ...shared.forJobs,
  });
  const record = createDownloadRecorder({
    audit,
    clock,
    daily,
    once: shared.once('download', RECORD_WINDOW_MS),
  });
  const viewing = composeViewing({ ...dependencies, blobs }, foundation, {
    documents,
    clients,
    records,
    daily,
    record,
    kept: shared.kept(links),
    markHeld: quarantine.markHeld,
    known: (firmId, sha256) => reading.knownPages(firmId, sha256),
    isKnown: (...args) => reading.isKnown(...args),
  });
  const { pdfPasswords, masking, archiveViewer, previews } = viewing;
  const scanning = createScanning({
    db,
    clock,
    log,
    blobs: store,
    audit,
    mail,
    quarantine,
    documents,
    trash,
    records,
    collecting: () => outside.collecting,
    readAgain: (firmId, sha256) => reading.enqueue(firmId, sha256),
    changed: (firmId) => events.publish(firmId, [{ kind: 'items' }]),
    scanner: config.clamd ? createClamd(config.clamd.address) : null,
    all: config.clamd?.all ?? false,
    baseUrl,
  });
  const uploadTargets = createUploadTargets({ documents, clients, audit });
  const desktop = composeDesktop(dependencies, foundation, {
    documents,
    clients,
    uploadTargets,
  });
  const receiving = composeReceiving({ ...dependencies, blobs }, foundation, {
    documents,
    records,
    previews,
    scan: scanning.receive,
    folderAt: uploadTargets.ensure,
  });
  const { uploads, resumable } = receiving;
  const sweeper = createSweeper({
    records,
    blobs: store,
    settled: deletionClock.now,
    ...(deletionLock && { deletionLock }),
    ...(otherDatabases && { otherDatabases }),
  });
  const archive = createArchive({ records, blobs, markHeld: quarantine.markHeld });
  const downloads = createDownloads({
    documents,
    clients,
    archive,
    blobs,
    record,
    clock,
    links,
    daily,
    selections: shared.kept(links),
  });
  const { reading, fields, fieldExport, unlocking } = composeReading({
    jobs,
    limits: attempts,
    pdfPasswords,
    showAgain: previews.showAgain,
    readAnew: masking.forget,
    db,
    clock,
    log,
    blobs,
    audit,
    documents,
    records,
    secret,
    events,
    daily,
    config,
  });
  const search = createSearch({
    db,
    views: documents.views,
    clients,
    texts: reading,
    files: documents.files,
    labelled: labels.bearing,
    people: documents.owners,
    recognised: fields.selection,
  });
  const filing = createFiling({
    db,
    clock,
    audit,
    documents,
    clients,
    templates,
    fields,
    versions,
    texts: reading,
    actorOf: auth.actorOfUser,
  });
  const exports = createExports({
    clock,
    audit,
    documents,
    details,
    clients,
    destructions,
    extracted: { texts: reading.packed, fields: fields.records },
    blobs,
    markHeld: quarantine.markHeld,
    requestsCsv: (actor) => outside.requests.csv(actor),
    links,
    daily,
    appName,
  });
  const forPrograms = composeDav({ ...dependencies, blobs }, foundation, {
    documents,
    uploads,
    record,
    records,
    subscription,
  });
  const openRequests = createOpenRequests(processes);
  const sharing = createSharing({
    db,
    clock,
    blobs,
    audit,
    mail,
    limits: attempts,
    daily,
    archive,
    documents: { ...documents, openFile: masking.openFile, walk: masking.walk },
    masking,
    previews,
    archiveViewer,
    logoOf: branding.urlOf,
    actorOf: auth.actorOfUser,
    viewer: auth.viewer,
    passwords: auth.passwords,
    passOf: (token, cookie) => outside.portal.passOf(token, cookie),
    openRequests,
    cancelUploads: (firm_id) => outside.collecting.cancelClosed({ firm_id }),
    secret,
    baseUrl,
    once: shared.once('opening', OPENING_MS, 10_000),
  });
  const outside = composeOutside({ ...dependencies, blobs }, foundation, {
    documents,
    records,
    resumable,
    paper: receiving.paper,
    incoming: drive.incoming,
    openRequests,
    sharing,
    ...(config.clamd && { inspect: scanning.inspect }),
  });
  const { team, backups, system } = composeAdministration(dependencies, foundation, {
    daily,
    openRequests,
    resumable,
    subscription,
  });
  const processServices = composeProcesses({ ...dependencies, processes }, { records, jobs, sharing });
  const recurring = recurringJobs({
    auth,
    clients,
    daily,
    deletionClock,
    expiry,
    filing,
    jobs,
    payments,
    reading: reads ? reading : null,
    records,
    resumable,
    scanning,
    sharing: processServices.sharing,
    sweeper,
    system,
    thinning,
    backups: backups.work,
    ...outside,
  });
  for (const [kind, job] of Object.entries(recurring)) jobs.registerRecurring(kind, job);

  return {
    audit,
    deletionClock,
    deferred,
    events,
    mail,
    branding,
    auth,
    access,
    daily,
    team,
    openRequests,
    ...money,
    ...drive,
    records,
    search,
    clients,
    templates,
    dashboard,
    ...receiving,
    sweeper,
    archive,
    downloads,
    ...forPrograms,
    desktop,
    previews,
    reading,
    unlocking,
    fields,
    fieldExport,
    filing,
    exports,
    scanning,
    sharing,
    system,
    masking,
    backups,
    ...outside,
    jobs,
    extraction,
    archiveViewer,
    /** Starts the background work. */
    start(): void {
      if (transport) log.info(transport.means);
      void jobs.start(async () => {
        await processServices.register.start();
        await records.recover();
        await deletionClock.now();
      });
    },
    /** Stops the background work; resolves when nothing runs any more. */
    async stop(): Promise<void> {
      events.stop();
      await Promise.all([jobs.stop(), resumable.stop(), backups.stop()]);
      await deferred.stop();
      await processServices.register.stop();
      for (const part of [previews, masking, reading, unlocking, outside.collecting, mail]) part.stop();
    },
  };
}
export type Services = ReturnType<typeof compose>;
