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
import { holdRoutes } from './documents/legal-holds/routes.ts';
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
import { appPasswordRoutes } from './auth/app-passwords/routes.ts';
import { davRoutes } from './dav/routes.ts';
import { desktopFileRoutes, desktopRoutes } from './desktop/routes.ts';
import { dropRoutes } from './drop-links/routes.ts';
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
import type { Language } from './text/language.ts';
import { templateRoutes } from './templates/routes.ts';
import { resumableRoutes } from './uploads/resumable-routes.ts';
import { uploadRoutes } from './uploads/routes.ts';
import { createHealth } from './datadir/health.ts';
import type { DataDir } from './datadir/datadir.ts';

/** What pages receive as `Astro.locals`. */
export interface PageLocals {
  actor: Actor | null;
  /** The signed-in user's view; null exactly when `actor` is. */
  viewer: UserView | null;
  services: PageServices;
  appName: string;
  /** Whether a new firm can be registered. */
  takesFirms: boolean;
  contactEmail: string;
  baseUrl: string;
  /** The operator of this server; '' when not configured. */
  operator: { name: string; address: string };
  requestId: string;
  /** Event position before the page read anything: later changes are sent to the page. */
  drawnAt: string;
  /** The visitor's IP address. */
  ip: string;
  /** The language of the client whom an outside page is for; set by that page. */
  clientLanguage?: Language | null;
}

export interface AppDependencies {
  services: Services;
  vault: Pick<DataDir, 'db' | 'secret'> & Partial<Pick<DataDir, 'room' | 'bucket'>>;
  config: Pick<Config, 'baseUrl' | 'trustProxy' | 'appName' | 'contactEmail'> &
    Partial<Pick<Config, 'hsts' | 'operatorName' | 'operatorAddress' | 'abuseLimits'>>;
  log: Logger;
  /** Readiness for /readyz; default: always ready. */
  ready?(): boolean;
  /** Left out where metrics are off. */
  metrics?: Middleware;
  /** Left out in tests that need no pages. */
  site?: { render: RenderPage<PageLocals>; assets?: Middleware };
}

/**
 * Calls made once per file or folder of a large upload, once per file that a script downloads, and by the
 * details panel for each selection (which changes nothing).
 */
const BULK =
  /^\/api\/(?:desktop\/(?:compare|folders)|documents\/(?:upload|folder|compare|sums|resumable(?:\/[^/]+)?|(?:\d+\/(?:versions\/\d+\/)?)?download-token))\/?$/i;

/** Forms of a shared link's recipients, which prove themselves by a form field. */
const RECIPIENTS = /^\/s\/[^/]+\/(?:code|verify|password|open|download(?:\/\w+)?)$/;

/** Forms and scripts of a document request, which prove themselves by a field or a header. */
const SENDERS =
  /^\/r\/[^/]+\/(?:open|done|files|rows\/\d+\/(?:files|unavailable|available|bind)|uploads(?:\/[\w-]+)?|arrivals\/\d+(?:\/back)?)$/;

/** Forms and scripts of a drop link, which prove themselves likewise. */
const DROPS = /^\/d\/[^/]+\/(?:files|open|bind|uploads(?:\/[\w-]+)?)$/;

/** Forms of a client page. */
const PORTALS = /^\/c\/[^/]+\/(?:code|verify|leave)$/;

/** A phone sends shared files there, of which the page can only say that they are lost; its service worker takes them. */
const SHARED_FILES = '/share';

/** WebDAV clients send an app password with each request; a cookie has no effect there. */
const DRIVE = /^\/dav(?:\/|$)/;

/** Paths open to connected upload programs. */
const FOR_PROGRAMS = /^\/(?:api\/(?:desktop|documents\/resumable)|desktop\/download)(?:\/|$)/;

/** Where such a program trades its code for a token; it has no cookie. */
const PAIRING = '/api/desktop/token';

/** Routes of the API without a session. A sign-out is also open to a user whom the work hours keep out. */
const OPEN = [
  '/sanctum/csrf-cookie',
  '/api/auth/register',
  '/api/auth/join',
  '/api/auth/login',
  '/api/auth/login/code',
  '/api/auth/login/passkey',
  '/api/auth/login/passkey/options',
  '/api/auth/not-me',
  '/api/auth/forgot-password',
  '/api/auth/reset-password',
  '/api/auth/confirm-email',
  '/api/auth/logout',
  '/api/auth/logout-all',
  PAIRING,
  '/api/desktop/latest',
  '/api/subscription/plans',
  WEBHOOK,
  // A signed address is the proof.
  '/api/documents/:id/content',
  '/api/documents/:id/versions/:version/content',
  '/api/documents/selection',
  '/api/documents/entry',
  '/api/export/content',
];

/** Every API router, in order of matching. */
export function routersOf(
  services: Services,
  { limited = false, log }: { limited?: boolean; log?: Logger } = {},
): Router[] {
  const { auth } = services;
  return [
    authRoutes(auth, services.team),
    securityRoutes(auth),
    appPasswordRoutes(services),
    desktopRoutes(services),
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

/** The web server on top of the services: every route, and the pages. */
export function buildApp({ services, vault, config, log, site, ready, metrics }: AppDependencies): Koa {
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
    openRoutes: OPEN,
    csrfExcept: [WEBHOOK, PAIRING, RECIPIENTS, SENDERS, DROPS, PORTALS, SHARED_FILES, DRIVE],
    writes:
      config.abuseLimits === false
        ? null
        : { limits: { ...WRITES_PER_MINUTE, isBulk: (path) => BULK.test(path) } },
    ...(site?.assets && { assets: site.assets }),
    ...(site && {
      pages: createPages(site.render, async (ctx) => {
        const drawnAt = services.events.currentEventId();
        const { actor, requestId } = ctx.state as RequestState;
        const viewer = actor && (await auth.viewer(actor));
        const { appName, contactEmail, baseUrl, operatorName = '', operatorAddress = '' } = config;
        const operator = { name: operatorName, address: operatorAddress };
        return {
          actor,
          viewer,
          services: forPages(services),
          appName,
          takesFirms: await auth.takesFirms(),
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
