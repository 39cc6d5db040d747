import type { Knex } from 'knex';

/** Whether a file of the firm still has this content. */
const held = (row: 'OLD' | 'NEW') =>
  `EXISTS (SELECT 1 FROM item_rows i WHERE i.firm_id = ${row}.firm_id AND i.sha256 = ${row}.sha256)`;

/** Marks a content as waiting to be read, unless it was read already. */
const enlist = `
  UPDATE document_texts SET state = 'waiting', attempts = 0
  WHERE firm_id = NEW.firm_id AND sha256 = NEW.sha256 AND state = 'gone';
  INSERT INTO document_texts (firm_id, sha256, state) SELECT NEW.firm_id, NEW.sha256, 'waiting'
  WHERE NOT EXISTS (SELECT 1 FROM document_texts t WHERE t.firm_id = NEW.firm_id AND t.sha256 = NEW.sha256);`;

const abandon = `
  UPDATE document_texts SET state = 'gone' WHERE firm_id = OLD.firm_id AND sha256 = OLD.sha256 AND NOT ${held('OLD')};`;

/**
 * The state of reading of each content of a firm's files. Triggers keep the list, since files are added, replaced and
 * deleted in many ways. The text itself is in an encrypted blob.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('document_texts', (t) => {
    // Ascending in the order in which contents were added, since searches start at the newest.
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id');
    t.text('sha256').notNullable();
    // waiting, read, no_text, refused, unread (a type that is not read), gone (no file has this content any more).
    t.text('state').notNullable();
    // The reason of a refusal.
    t.text('reason');
    t.integer('attempts').notNullable().defaultTo(0);
    t.text('blob_id');
    // The kind of its pages, their number, and how many of the pages read have no text.
    t.text('kind');
    t.integer('pages');
    t.integer('without');
    t.integer('characters');
    // The reason if only part of it was read.
    t.text('cut');
    t.text('read_at');
    t.unique(['firm_id', 'sha256']);
  });
  await knex.raw(
    "CREATE INDEX document_texts_waiting ON document_texts (firm_id, id) WHERE state = 'waiting'",
  );
  await knex.raw("CREATE INDEX document_texts_gone ON document_texts (id) WHERE state = 'gone'");
  await knex.raw('CREATE INDEX document_texts_states ON document_texts (firm_id, state)');
  await knex.raw('CREATE INDEX document_texts_blobs ON document_texts (blob_id) WHERE blob_id IS NOT NULL');
  // The oldest first, so that the newest have the highest ids.
  await knex.raw(
    `INSERT INTO document_texts (firm_id, sha256, state) SELECT firm_id, sha256, 'waiting' FROM item_rows
     WHERE sha256 IS NOT NULL AND firm_id IN (SELECT id FROM firms) GROUP BY firm_id, sha256 ORDER BY max(id)`,
  );
  await knex.raw(
    `CREATE TRIGGER text_of_new AFTER INSERT ON item_rows WHEN NEW.sha256 IS NOT NULL BEGIN ${enlist} END`,
  );
  await knex.raw(
    `CREATE TRIGGER text_of_deleted AFTER DELETE ON item_rows WHEN OLD.sha256 IS NOT NULL BEGIN ${abandon} END`,
  );
  await knex.raw(
    `CREATE TRIGGER text_of_replaced AFTER UPDATE OF sha256, firm_id ON item_rows
     WHEN NEW.sha256 IS NOT NULL AND (OLD.sha256 IS NOT NEW.sha256 OR OLD.firm_id <> NEW.firm_id)
     BEGIN ${enlist} ${abandon} END`,
  );
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'what was read of documents; it is read again';

export async function down(knex: Knex): Promise<void> {
  for (const name of ['text_of_new', 'text_of_deleted', 'text_of_replaced'])
    await knex.raw(`DROP TRIGGER ${name}`);
  await knex.raw(
    `INSERT OR IGNORE INTO discarded_blobs (blob_id, discarded_at)
     SELECT blob_id, strftime('%Y-%m-%dT%H:%M:%fZ', 'now') FROM document_texts WHERE blob_id IS NOT NULL`,
  );
  await knex.schema.dropTable('document_texts');
}
