import type { Knex } from 'knex';
import { nameTokens } from '../server/search/grams.ts';

export interface FirmSize {
  clients: number;
  folders: number;
  files: number;
}

/** Numbers from 0 to below the first binding. */
const COUNT = 'WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)';
const KINDS = [
  'Invoice',
  'Form 16',
  'GST return',
  'Bank statement',
  'Agreement',
  'Challan',
  'Audit report',
  'Receipt',
];
/** File types, with the upper end of the share of each in percent; in addition one file of 10,000 is a drawing. */
const TYPES: readonly [type: string, below: number][] = [
  ['pdf', 52],
  ['xlsx', 72],
  ['jpg', 84],
  ['docx', 92],
  ['csv', 97],
  ['zip', 100],
];
const START = Date.parse('2020-04-01T00:00:00Z');

/** The time of file number `i`: a day of six years, in no order. */
const moment = `strftime('%Y-%m-%dT%H:%M:%fZ', ${START / 1000} + ((i * 7919) % 2200) * 86400 + i % 80000, 'unixepoch')`;
const kind = `CASE i % ${KINDS.length} ${KINDS.map((text, index) => `WHEN ${index} THEN '${text}'`).join(' ')} END`;
const type = `CASE WHEN i % 10000 = 77 THEN 'dwg' ${TYPES.map(([name, below]) => `WHEN (i * 31) % 100 < ${below} THEN '${name}'`).join(' ')} END`;

/** Fills a firm by SQL: clients, folders and rows of files without contents. Its ids start at `base`. */
export async function fillFirm(
  db: Knex,
  { firmId, userId, base, size }: { firmId: number; userId: number; base: number; size: FirmSize },
): Promise<void> {
  const now = new Date(START).toISOString();
  await db.transaction(async (trx) => {
    await trx.raw(
      `${COUNT} INSERT INTO clients (id, firm_id, name, email, phone, client_type, city, status, pan, created_at, updated_at, sort_key, search_text)
       SELECT ? + i, ?, 'Client ' || printf('%05d', i), 'c' || i || '@example.in', printf('98%08d', i * 37), iif(i % 3, 'Individual', 'Company'),
         'City ' || (i % 40), iif(i % 9, 'Active', 'Inactive'), printf('AAAPZ%04dA', i), ?, ?, 'client ' || printf('%05d', i),
         'client ' || printf('%05d', i) || char(10) || 'c' || i || '@example.in' || char(10) || printf('98%08d', i * 37) || char(10) || printf('aaapz%04da', i)
       FROM n`,
      [size.clients, base, firmId, now, now],
    );
    await trx.raw(
      `${COUNT} INSERT INTO item_rows (id, firm_id, parent_id, type, name, name_key, sort_key, client_id, owner_id, created_at, modified_at)
       SELECT ? + i, ?, iif(i < 200, NULL, ? + i % 200), 'folder', 'Folder ' || i, 'folder ' || i, 'folder ' || printf('%07d', i),
         ? + i % ?, ?, ?, ? FROM n`,
      [size.folders, base, firmId, base, base, size.clients, userId, now, now],
    );
    await trx.raw(
      `${COUNT} INSERT INTO item_rows (id, firm_id, parent_id, type, name, name_key, sort_key, file_type, file_size, client_id, owner_id, created_at, modified_at)
       SELECT ? + i, ?, ? + (i * 7919) % ?, 'file', name || '.' || type, lower(name || '.' || type), lower(name) || char(1) || type, type,
         (i * 104729) % 5000000, iif(i % 10, ? + (i * 17) % ?, NULL), ?, at, at
       FROM (SELECT i, ${kind} || ' ' || printf('%07d', i) AS name, ${type} AS type, ${moment} AS at FROM n) AS made`,
      [size.files, base + size.folders, firmId, base, size.folders, base, size.clients, userId],
    );
    await trx.raw(
      `INSERT INTO client_totals (firm_id, client_type, status, clients)
       SELECT firm_id, client_type, status, count(*) FROM clients WHERE firm_id = ? GROUP BY 1, 2, 3`,
      [firmId],
    );
    await trx.raw(
      `INSERT OR REPLACE INTO touches (user_id, item_id, touched_at)
       SELECT ?, id, modified_at FROM items WHERE firm_id = ? AND type = 'file' ORDER BY modified_at DESC LIMIT 200`,
      [userId, firmId],
    );
  });
}

/** The prefix of a firm, with which each gram of a name begins in the index, see `grams.ts`. */
const head = (firmId: number): string => `${firmId.toString(36)}\ue100`;

/** Fills the name index of the firms. The grams of a name that many items have are made only once. */
export async function indexFirms(db: Knex, firmIds: readonly number[]): Promise<void> {
  const PLACEHOLDER_FIRM = 0;
  const BATCH = 400;
  await db.raw('CREATE TEMP TABLE made_grams (name TEXT PRIMARY KEY, grams TEXT) WITHOUT ROWID');
  for (const firmId of firmIds) {
    await db.transaction(async (trx) => {
      const names: string[] = await trx('items')
        .where('firm_id', firmId)
        .whereNotIn('name', trx('made_grams').select('name'))
        .distinct()
        .pluck('name');
      for (let start = 0; start < names.length; start += BATCH) {
        const part = names.slice(start, start + BATCH);
        await trx.raw(
          `INSERT INTO made_grams (name, grams) VALUES ${part.map(() => '(?, ?)').join(', ')}`,
          part.flatMap((name) => [name, nameTokens(PLACEHOLDER_FIRM, name)]),
        );
      }
      await trx.raw(
        `INSERT INTO item_search (rowid, grams) SELECT items.id, replace(grams, ?, ?)
         FROM items JOIN made_grams USING (name) WHERE items.firm_id = ? ORDER BY items.id`,
        [head(PLACEHOLDER_FIRM), head(firmId), firmId],
      );
    });
  }
  await db.raw('DROP TABLE made_grams');
}
