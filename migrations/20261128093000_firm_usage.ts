import type { Knex } from 'knex';

const addition = (row: 'NEW' | 'OLD', files: string, bytes: string): string =>
  `INSERT INTO firm_usage (firm_id, file_type, files, bytes)
     VALUES (${row}.firm_id, ${row}.file_type, ${files}, ${bytes})
     ON CONFLICT (firm_id, file_type)
     DO UPDATE SET files = firm_usage.files + excluded.files, bytes = firm_usage.bytes + excluded.bytes;`;

/** What each change of a client's totals adds to the firm's. */
const CHANGES = {
  insert: { when: 'true', does: addition('NEW', 'NEW.items', 'NEW.bytes') },
  update: {
    when: 'NEW.items <> OLD.items OR NEW.bytes <> OLD.bytes',
    does: addition('NEW', 'NEW.items - OLD.items', 'NEW.bytes - OLD.bytes'),
  },
  // An empty row is deleted at once.
  delete: { when: 'OLD.items <> 0 OR OLD.bytes <> 0', does: addition('OLD', '-OLD.items', '-OLD.bytes') },
};

/**
 * The firm's files of each type, as the sum of those of its clients, which triggers count whichever code writes. So the
 * quota cannot be missed by code that forgets to count, and an upload waits for one statement less. `storage_usage`, which
 * code counts, is left to processes of older versions that still run beside this one.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('firm_usage', (t) => {
    t.integer('firm_id').notNullable();
    t.text('file_type').notNullable();
    t.integer('files').notNullable();
    t.bigInteger('bytes').notNullable();
    t.primary(['firm_id', 'file_type']);
  });
  for (const [event, { when, does }] of Object.entries(CHANGES)) {
    const name = `firm_usage_at_${event}`;
    if (knex.client.dialect === 'postgresql') {
      await knex.raw(
        `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $trigger$ BEGIN IF ${when} THEN ${does} END IF; RETURN NULL; END $trigger$`,
      );
      await knex.raw(
        `CREATE TRIGGER ${name} AFTER ${event} ON scope_usage FOR EACH ROW EXECUTE FUNCTION ${name}()`,
      );
    } else {
      await knex.raw(`CREATE TRIGGER ${name} AFTER ${event} ON scope_usage WHEN ${when} BEGIN ${does} END`);
    }
  }
  // After the triggers, whose creation waits for the changes in progress on PostgreSQL: none is missed between.
  await knex.raw(
    `INSERT INTO firm_usage (firm_id, file_type, files, bytes)
     SELECT firm_id, file_type, sum(items), sum(bytes) FROM scope_usage GROUP BY firm_id, file_type`,
  );
}

/** What a step down (`down`) deletes from a vault. */
export const lost = null;

export async function down(knex: Knex): Promise<void> {
  const onPostgres = knex.client.dialect === 'postgresql';
  for (const event of Object.keys(CHANGES)) {
    const name = `firm_usage_at_${event}`;
    await knex.raw(onPostgres ? `DROP TRIGGER ${name} ON scope_usage` : `DROP TRIGGER ${name}`);
    if (onPostgres) await knex.raw(`DROP FUNCTION ${name}`);
  }
  await knex('storage_usage').delete();
  await knex.raw(
    'INSERT INTO storage_usage (firm_id, file_type, files, bytes) SELECT firm_id, file_type, files, bytes FROM firm_usage',
  );
  await knex.schema.dropTable('firm_usage');
}
