import type { Router } from '@koa/router';
import type Koa from 'koa';
import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import { accessRoutes } from './access/routes.ts';
import { archiveRoutes } from './archive/routes.ts';
import type { Actor } from '#server/actor.ts';
import type { UserView } from './auth/contract.ts';
import { auditRoutes } from './audit/routes.ts';
import { authRoutes } from './auth/routes.ts';
import { securityRoutes } from './auth/security-routes.ts';
import { backupRoutes } from './backups/routes.ts';
import { brandingRoutes } from './branding/routes.ts';
import { clientRoutes } from './clients/routes.ts';
import type { Config } from './config/config.ts';
import { dashboardRoutes } from './dashboard/routes.ts';
import { detailsRoutes } from './documents/details/routes.ts';
import { duplicateRoutes } from './documents/duplicates/routes.ts';
import { labelRoutes } from './documents/labels/routes.ts';
import { noteRoutes } from './documents/notes/routes.ts';
import { documentRoutes } from './documents/routes.ts';
import { holdRoutes } from './documents/holds/routes.ts';
import { retentionRoutes } from './documents/retention/routes.ts';
import { sealRoutes } from './documents/seals/routes.ts';
import { trashRoutes } from './documents/trash/routes.ts';
import { versionRoutes } from './documents/versions/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { downloadRoutes } from './downloads/routes.ts';
import { eventRoutes } from './events/routes.ts';
import { exportRoutes } from './exports/routes.ts';
import { createApp } from './http/app.ts';
import type { RequestState } from './http/context.ts';
import type { RenderPage } from './http/pages.ts';
import { createPages } from './http/pages.ts';
import { WRITES_PER_MINUTE } from './http/write-limit.ts';
import { invoiceRoutes } from './invoices/routes.ts';
import { WEBHOOK, paymentRoutes } from './payments/routes.ts';
import { previewRoutes } from './previews/routes.ts';
import type { PageServices } from './page-services.ts';
import { forPages } from './page-services.ts';
import type { Services } from './services.ts';
import { appPasswordRoutes } from './dav/password-routes.ts';
import { davRoutes } from './dav/routes.ts';
import { desktopFileRoutes, deviceRoutes } from './devices/routes.ts';
import { dropRoutes } from './drops/routes.ts';
import { fieldRoutes } from './fields/routes.ts';
import { filingRoutes } from './filing/routes.ts';
import { unlockingRoutes } from './reading/locked/routes.ts';
import { readingRoutes } from './reading/routes.ts';
import { requestRoutes } from './requests/routes.ts';
import { senderRoutes } from './requests/sender-routes.ts';
import { scanningRoutes } from './scanning/routes.ts';
import { portalRoutes } from './portal/routes.ts';
import { portalVisitorRoutes } from './portal/visitor-routes.ts';
import { recipientRoutes } from './sharing/recipient-routes.ts';
import { sharingRoutes } from './sharing/routes.ts';
import { systemRoutes } from './system/routes.ts';
import { subscriptionRoutes } from './subscription/routes.ts';
import { teamRoutes } from './team/routes.ts';
import { templateRoutes } from './templates/routes.ts';
import { resumableRoutes } from './uploads/resumable-routes.ts';
import { uploadRoutes } from './uploads/routes.ts';
import { createHealth } from './datadir/health.ts';
import type { DataDir } from './datadir/datadir.ts';

/** What a page may ask, as `Astro.locals`. */
export interface PageLocals {
  actor: Actor | null;
  /** The signed-in user as shown; null exactly when `actor` is. */
  viewer: UserView | null;
  services: PageServices;
  appName: string;
  contactEmail: string;
  baseUrl: string;
  /** Who runs this server; '' when nobody has said. */
  operator: { name: string; address: string };
  requestId: string;
  /** Where the events were before the page read anything: what changed since is told to it. */
  drawnAt: string;
  /** The visitor's address. */
  ip: string;
}

export interface AppParts {
  services: Services;
  vault: Pick<DataDir, 'db' | 'secret'> & Partial<Pick<DataDir, 'room' | 'bucket'>>;
  config: Pick<Config, 'baseUrl' | 'trustProxy' | 'appName' | 'contactEmail'> &
    Partial<Pick<Config, 'hsts' | 'operatorName' | 'operatorAddress' | 'abuseLimits'>>;
  log: Logger;
  /** Whether it has started and is not about to stop; left out, it always is. */
  ready?(): boolean;
  /** Left out where there are no figures. */
  metrics?: Middleware;
  /** Left out by tests that need no pages. */
  site?: { render: RenderPage<PageLocals>; assets?: Middleware };
}

/**
 * What an upload of a large folder calls for each of its files and folders, a script for each file that it fetches, and
 * the details panel for each selection, which changes nothing.
 */
const BULK =
  /^\/api\/(?:desktop\/(?:compare|folders)|documents\/(?:upload|folder|compare|sums|resumable(?:\/[^/]+)?|(?:\d+\/(?:versions\/\d+\/)?)?download-token))\/?$/i;

/** Forms of those who come by a shared link prove themselves by a field. */
const RECIPIENTS = /^\/s\/[^/]+\/(?:code|verify|password|open|download(?:\/\w+)?)$/;

/** What clients do by the link of a request: forms and scripts that prove themselves by a field or a header. */
const SENDERS =
  /^\/r\/[^/]+\/(?:open|done|rows\/\d+\/(?:files|unavailable|available|bind)|uploads(?:\/[\w-]+)?|arrivals\/\d+)$/;

/** What anybody sends by a lasting link of a client, by a form or a script that proves itself. */
const DROPS = /^\/d\/[^/]+\/(?:files|open|bind|uploads(?:\/[\w-]+)?)$/;

/** What visitors of a client's page send. */
const PORTALS = /^\/c\/[^/]+\/(?:code|verify|leave)$/;

/** Programs that open the vault as a drive show an app password with each request; a cookie counts for nothing there. */
const DRIVE = /^\/dav(?:\/|$)/;

/** What a program that was connected to upload may ask for. */
const FOR_PROGRAMS = /^\/(?:api\/(?:desktop|documents\/resumable)|desktop\/download)(?:\/|$)/;

/** Where such a program comes in, by a code and without a cookie. */
const PAIRING = '/api/desktop/token';

/** Every call of the API, in the order in which they are tried. */
export function routersOf(
  services: Services,
  { limited = false, log }: { limited?: boolean; log?: Logger } = {},
): Router[] {
  const { auth } = services;
  return [
    authRoutes(auth, services.team),
    securityRoutes(auth),
    appPasswordRoutes(services),
    deviceRoutes(services),
    desktopFileRoutes(services),
    davRoutes(services.dav, { limited, ...(log && { log }) }),
    teamRoutes(services.team),
    auditRoutes(services.audit),
    eventRoutes(services.events),
    exportRoutes(services.exports),
    uploadRoutes(services),
    resumableRoutes(services),
    archiveRoutes(services),
    downloadRoutes(services),
    previewRoutes(services),
    readingRoutes(services),
    unlockingRoutes(services),
    fieldRoutes(services),
    filingRoutes(services),
    accessRoutes(services),
    searchRoutes(services),
    detailsRoutes(services),
    noteRoutes(services),
    labelRoutes(services),
    duplicateRoutes(services),
    documentRoutes(services),
    trashRoutes(services),
    retentionRoutes(services),
    sealRoutes(services),
    versionRoutes(services),
    holdRoutes(services),
    clientRoutes(services),
    templateRoutes(services),
    brandingRoutes(services),
    scanningRoutes(services),
    sharingRoutes(services),
    recipientRoutes(services),
    dropRoutes(services),
    requestRoutes(services),
    senderRoutes(services),
    systemRoutes(services),
    backupRoutes(services),
    portalRoutes(services),
    portalVisitorRoutes(services),
    dashboardRoutes(services),
    subscriptionRoutes(services),
    paymentRoutes(services.payments),
    invoiceRoutes(services.invoices),
  ];
}

/** The web server over the services: every route, and the pages behind them. */
export function buildApp({ services, vault, config, log, site, ready, metrics }: AppParts): Koa {
  const { auth } = services;
  return createApp({
    log,
    config,
    secret: vault.secret,
    identity: auth,
    openRequests: services.openRequests,
    health: createHealth(vault),
    ...(ready && { ready }),
    ...(metrics && { metrics }),
    routes: routersOf(services, { limited: config.abuseLimits !== false, log }),
    forPrograms: FOR_PROGRAMS,
    csrfExcept: [WEBHOOK, PAIRING, RECIPIENTS, SENDERS, DROPS, PORTALS, DRIVE],
    writes:
      config.abuseLimits === false
        ? null
        : { limits: { ...WRITES_PER_MINUTE, isBulk: (path) => BULK.test(path) } },
    ...(site?.assets && { assets: site.assets }),
    ...(site && {
      pages: createPages(site.render, async (ctx) => {
        const drawnAt = services.events.now();
        const { actor, requestId } = ctx.state as RequestState;
        const viewer = actor && (await auth.viewer(actor));
        const { appName, contactEmail, baseUrl, operatorName = '', operatorAddress = '' } = config;
        const operator = { name: operatorName, address: operatorAddress };
        return {
          actor,
          viewer,
          services: forPages(services),
          appName,
          contactEmail,
          baseUrl,
          operator,
          requestId,
          drawnAt,
          ip: ctx.ip,
        };
      }),
    }),
  });
}
