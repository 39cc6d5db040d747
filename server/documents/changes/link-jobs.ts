import type { Jobs } from '#server/jobs/service.ts';
import type { Knex } from 'knex';
import type { Link } from './link-contents.ts';
import { createLinking } from './link-contents.ts';

/** Links the contents of a folder to its client; the job's input is `link`. */
export const LINK_CONTENTS = 'linking of contents';
/** Runs once, enqueued by a migration: links the contents of folders that were linked without them. */
const LINK_ALL_CONTENTS = 'contents of linked folders';

/** An interrupted job starts again and links the remaining items. */
const ATTEMPTS = 1000;

/**
 * Registers the background jobs that link contents. They run one at a time per firm: a later request builds on earlier
 * ones.
 */
export function registerLinking({ db, jobs }: { db: Knex; jobs: Pick<Jobs, 'register'> }): void {
  const { linkInside, linkAllInside } = createLinking({ db });
  const done = (count: number) => ({ message: `${count} linked`, data: { count } });
  const limits = { slots: 1, perFirm: 1, attempts: ATTEMPTS };
  jobs.register(LINK_CONTENTS, {
    ...limits,
    run: async ({ input, signal }) => done(await linkInside(input.link as unknown as Link, signal)),
  });
  jobs.register(LINK_ALL_CONTENTS, {
    ...limits,
    run: async ({ signal }) => done(await linkAllInside(signal)),
  });
}
