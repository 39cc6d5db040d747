import type { Jobs } from '#server/jobs/service.ts';
import type { Knex } from 'knex';
import type { Link } from './link-contents.ts';
import { createLinking } from './link-contents.ts';

/** A folder's contents get its client; `link` is in the job's input. */
export const LINKING = 'linking of contents';
/** Once, ordered by a migration: what was in folders before their contents went along. */
const LEFT_BEHIND = 'contents of linked folders';

/** A job that a restart interrupts begins anew, and finds the items that are left. */
const ATTEMPTS = 1000;

/** The work on clients of items that nobody waits for. One after another, since a later request builds on the earlier. */
export function registerLinking({ db, jobs }: { db: Knex; jobs: Pick<Jobs, 'register'> }): void {
  const { linkInside, linkAllInside } = createLinking({ db });
  const done = (count: number) => ({ message: `${count} linked`, data: { count } });
  const one = { slots: 1, perFirm: 1, attempts: ATTEMPTS };
  jobs.register(LINKING, {
    ...one,
    run: async ({ input, signal }) => done(await linkInside(input.link as unknown as Link, signal)),
  });
  jobs.register(LEFT_BEHIND, {
    ...one,
    run: async ({ signal }) => done(await linkAllInside(signal)),
  });
}
