import type { Knex } from 'knex';

/** From here on the database has no page left, nor room on those that it has. */
export async function fillDatabase(db: Knex): Promise<void> {
  await db.raw('PRAGMA max_page_count = 1');
  // Pages that are begun have room for small rows.
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
