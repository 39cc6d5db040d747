import { createAccess } from '../access/service.ts';
import { createAudit } from '../audit/service.ts';
import { initials } from '../auth/contract.ts';
import { permissionsOf } from '../auth/policy.ts';
import { createPasswords } from '../auth/passwords.ts';
import { createAuth } from '../auth/service.ts';
import { createBranding } from '../branding/service.ts';
import { createEvents } from '../events/service.ts';
import { oneProcess } from '../db/one-process.ts';
import { createDeferredWrites } from '../db/deferred-writes.ts';
import { createRateLimiter } from '../http/rate-limiter.ts';
import { createJobs } from '../jobs/service.ts';
import { createDeletionClock } from '../records/deletion-clock.ts';
import { createMail } from '../mail/service.ts';
import { createColumnSealer, SEALED } from '../db/column-encryption.ts';
import type { Dependencies } from './dependencies.ts';

/** The application name and base URL, with defaults. */
const addressed = ({ appName = 'Almirah', baseUrl = 'http://localhost:3000' }: Dependencies['config']) => ({
  appName,
  baseUrl,
});

/** What every feature depends on: history, jobs, e-mail, authentication and access. */
export function composeFoundation(
  dependencies: Dependencies,
  { drawLogo }: { drawLogo: (bytes: Buffer, firmId: number) => Promise<Buffer | null> },
) {
  const { db, clock, log, config, secret, transport, passwords = createPasswords() } = dependencies;
  const { processes = oneProcess() } = dependencies;
  const { ticks = () => performance.now() } = dependencies;
  const settings = addressed(config);
  const deferred = createDeferredWrites({ log });
  const attempts = createRateLimiter({ db, clock, enabled: config.abuseLimits });
  const audit = createAudit({
    db,
    clock,
    deferred,
    limits: attempts,
    seal: createColumnSealer(secret, SEALED.history.purpose),
    announce: (...args) => events.announce(...args),
  });
  const deletionClock = createDeletionClock({ db, clock, ticks, audit, log });
  const jobs = createJobs({
    db,
    clock,
    log,
    processes,
    changed: (firmId, userId) => events.publish(firmId, [{ kind: 'jobs', userId }]),
  });
  const mail = createMail({
    clock,
    jobs,
    seal: createColumnSealer(secret, SEALED.emails.purpose),
    ...(transport && { transport }),
    logoOf: (firmId) => branding.imageOf(firmId),
    settings: { ...settings, mailFrom: config.mail?.from ?? 'almirah@localhost' },
  });
  const branding = createBranding({
    db,
    clock,
    audit,
    seal: createColumnSealer(secret, SEALED.logos.purpose),
    render: drawLogo,
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
    sealChallenge: createColumnSealer(secret, 'passkey challenge'),
    settings,
    takesFirms: config.registration !== 'closed',
  });
  const events = createEvents({
    log,
    processes,
    secret,
    actorOfSession: auth.actorOfSession,
    activeSessions: auth.standing,
    visibleClientsOf: (actor) => access.visibleClientsOf(actor),
  });
  const access = createAccess({ db, audit, permissionsOf, initials });
  return {
    deferred,
    audit,
    deletionClock,
    attempts,
    jobs,
    mail,
    branding,
    auth,
    events,
    access,
    settings,
    processes,
  };
}
export type Foundation = ReturnType<typeof composeFoundation>;
