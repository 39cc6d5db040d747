import type { Processes } from '../db/processes.ts';
import { createColumnSealer, SEALED } from '../db/column-encryption.ts';
import type { Jobs } from '../jobs/service.ts';
import type { LinkPayloads } from '../links/link-payloads.ts';
import { createLinkPayloads } from '../links/link-payloads.ts';
import { createStoredLinkPayloads } from '../links/stored-link-payloads.ts';
import type { Links } from '../links/links.ts';
import type { Deduplicator } from '../links/deduplicator.ts';
import { deleteExpired, createMemoryDeduplicator, createStoredDeduplicator } from '../links/deduplicator.ts';
import { createRegister } from '../processes/service.ts';
import type { Records } from '../records/service.ts';
import type { Sharing } from '../sharing/service.ts';
import type { Dependencies } from './dependencies.ts';

type StateDependencies = Pick<Dependencies, 'db' | 'clock' | 'secret'> & { processes: Processes };

/** State that a single process keeps in memory, and several processes share through the database. */
export function createSharedState({ db, clock, secret, processes: { several } }: StateDependencies) {
  const sealFor = (purpose: string) => createColumnSealer(secret, purpose);
  return {
    kept: <What>(links: Links): LinkPayloads<What> =>
      several
        ? createStoredLinkPayloads({ db, clock, links, seal: sealFor(SEALED.choices.purpose) })
        : createLinkPayloads({ links, clock }),
    once: (name: string, within: number, most?: number): Deduplicator =>
      several
        ? createStoredDeduplicator(db, clock, within, name)
        : createMemoryDeduplicator(clock, within, most),
    /** What jobs are told in secret, such as the password of an archive. */
    forJobs: several ? { seal: sealFor(SEALED.emails.purpose) } : {},
  };
}

/** What the processes that serve a vault do for each other. */
export function composeProcesses(
  { db, clock, log, processes }: StateDependencies & Pick<Dependencies, 'log'>,
  {
    records,
    jobs,
    sharing,
  }: {
    records: Pick<Records, 'recover'>;
    jobs: Pick<Jobs, 'recover'>;
    sharing: Pick<Sharing, 'cutEnded' | 'sweep'>;
  },
) {
  const quietly = (error: unknown) => log.warn({ err: error }, 'downloads by ended links were not looked at');
  // Only the process that sends a download knows of it, so every process has to check its own.
  if (processes.several) processes.subscribe('ended', () => void sharing.cutEnded().catch(quietly));
  return {
    register: createRegister({
      db,
      clock,
      log,
      processes,
      async recover() {
        await records.recover();
        await jobs.recover();
      },
    }),
    /** For the recurring jobs, which run in one process at a time. */
    sharing: {
      async sweep(): Promise<number> {
        if (processes.several) await db.transaction((trx) => deleteExpired(trx, clock()));
        return sharing.sweep();
      },
      async cutEnded(): Promise<number> {
        if (processes.several) processes.publish('ended', null);
        return sharing.cutEnded();
      },
    },
  };
}
