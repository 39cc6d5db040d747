import type { DailyLimit } from '../links/daily-limit.ts';
import type { OpenRequests } from '../http/open-requests.ts';
import type { Subscription } from '../subscription/service.ts';
import { createSystem } from '../system/service.ts';
import { createTeam } from '../team/service.ts';
import type { Resumable } from '../uploads/resumable.ts';
import { composeBackups } from './backups.ts';
import type { Foundation } from './foundation.ts';
import type { Dependencies } from './dependencies.ts';

/** What the admins look after: the colleagues of a firm, and the backups and the state of the installation. */
export function composeAdministration(
  dependencies: Dependencies,
  foundation: Foundation,
  {
    daily,
    openRequests,
    resumable,
    subscription,
  }: {
    daily: Pick<DailyLimit, 'today'>;
    openRequests: Pick<OpenRequests, 'cut'>;
    resumable: Pick<Resumable, 'cancelAllOf'>;
    subscription: Pick<Subscription, 'limits'>;
  },
) {
  const { db, clock, config, machine = null, otherDatabases } = dependencies;
  const { attempts, audit, auth, jobs, mail, settings } = foundation;
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
    settings,
  });
  const backups = composeBackups(dependencies, foundation, {
    has: (actor) => system.admins.has(actor),
    mayHoldKey: (actor) => system.admins.mayHoldKey(actor),
    requireAdmin: (actor) => system.admins.requireAdmin(actor),
  });
  const system = createSystem({
    db,
    clock,
    jobs,
    mail,
    machine,
    backups: backups.summary,
    others: backups.alarms,
    ...(otherDatabases && { otherDatabases }),
    lastSaved: audit.lastAt,
    emails: config.installationAdmins ?? [],
    settings,
  });
  return { team, backups, system };
}
