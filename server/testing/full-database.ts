import type { Knex } from 'knex';

/** Fills the database: no new page, and no room on existing ones. */
export async function fillDatabase(db: Knex): Promise<void> {
  await db.raw('PRAGMA max_page_count = 1');
  // Pages in use still have room for small rows.
  for (const length of [3000, 1000, 300, 100, 30, 1]) {
    for (let fits = true; fits;) {
      fits = await db('audit_events')
        .insert({ did: 'x'.repeat(length), detail: '{}', at: '2026' })
        .then(
          () => true,
          () => false,
        );
    }
  }
}

export const liftPageLimit = async (db: Knex): Promise<void> => {
  await db.raw('PRAGMA max_page_count = 1000000');
};
