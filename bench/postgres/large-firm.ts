import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { nameTokens } from '../../server/search/grams.ts';
import type { FirmSize } from '../firms.ts';

/** The tables that grow with the number of items; their indexes are dropped before the rows are copied and built once afterwards. */
const LARGE_TABLES = ['item_rows', 'item_search'];
/** Distance between the ids of one copy of the firm and the next; larger than the number of its items. */
const ID_STEP = 200_000;
/** Every tenth copy of the items brings a copy of the clients. */
const CLIENT_COPIES = 10;
/** One file in so many is in Trash: every list leaves those out. */
const IN_TRASH = 50;
/** Width of the number in a file name, see `../firms.ts`. */
const DIGITS = 7;

interface IndexRow {
  indexname: string;
  indexdef: string;
}

async function dropIndexes(db: Knex): Promise<string[]> {
  const indexes: IndexRow[] = await db('pg_indexes')
    .whereIn('tablename', LARGE_TABLES)
    .whereRaw("indexname NOT LIKE '%_pkey'")
    .select('indexname', 'indexdef');
  for (const { indexname } of indexes) await db.raw(`DROP INDEX "${indexname}"`);
  return indexes.map(({ indexdef }) => indexdef);
}

const copyClients = (db: Knex, firmId: number, clients: number) =>
  db.raw(
    `INSERT INTO clients (id, firm_id, name, email, phone, client_type, city, status, pan, created_at, updated_at, sort_key, search_text)
     SELECT id + k * ${clients}, firm_id, made, email, phone, client_type, city, status, pan, created_at, updated_at, lower(made),
       replace(search_text, lower(name), lower(made))
     FROM clients CROSS JOIN generate_series(1, ${CLIENT_COPIES - 1}) AS k,
       LATERAL (SELECT 'Client ' || lpad((right(name, 5)::int + k * ${clients})::text, 6, '0') AS made) AS named
     WHERE firm_id = ?`,
    [firmId],
  );

/** The number in the name is raised, so that no two names in a folder are equal. */
const copyItems = (db: Knex, firmId: number, copies: number, size: FirmSize) => {
  const client = (column: string) =>
    `CASE WHEN ${column} > 0 THEN ${column} + k % ${CLIENT_COPIES} * ${size.clients} ELSE ${column} END`;
  const raised = `CASE type WHEN 'folder' THEN (digits::int + k * ${size.folders})::text
    ELSE lpad((digits::int + k * ${size.files})::text, ${DIGITS}, '0') END`;
  const padded = `lpad((digits::int + k * CASE type WHEN 'folder' THEN ${size.folders} ELSE ${size.files} END)::text, ${DIGITS}, '0')`;
  return db.raw(
    `INSERT INTO item_rows (id, firm_id, parent_id, type, name, name_key, sort_key, file_type, file_size, client_id, owner_id,
       created_at, modified_at, scope_client_id, scope_top)
     SELECT id + k * ${ID_STEP}, firm_id, parent_id + k * ${ID_STEP}, type, replace(name, digits, raised), replace(name_key, digits, raised),
       regexp_replace(sort_key, '\\d{${DIGITS}}', padded), file_type, file_size, ${client('client_id')}, owner_id,
       created_at, modified_at, ${client('scope_client_id')}, scope_top
     FROM item_rows CROSS JOIN generate_series(1, ${copies - 1}) AS k,
       LATERAL (SELECT substring(name FROM '[0-9]{${DIGITS}}|[0-9]+$') AS digits) AS parsed,
       LATERAL (SELECT ${raised} AS raised, ${padded} AS padded) AS numbered
     WHERE firm_id = ?`,
    [firmId],
  );
};

/** Writes the search entries of all copies through `COPY`, since the tokens of a name are made in JavaScript. */
async function copySearchEntries(
  db: Knex,
  address: string,
  programs: string,
  { firmId, copies, size }: { firmId: number; copies: number; size: FirmSize },
): Promise<void> {
  const items: { id: number; name: string; type: string }[] = await db('item_rows')
    .where('firm_id', firmId)
    .select('id', 'name', 'type');
  const psql = spawn(
    join(programs, 'psql'),
    [address, '-q', '-c', 'COPY item_search (id, grams) FROM STDIN'],
    {
      stdio: ['pipe', 'inherit', 'inherit'],
    },
  );
  const ended = once(psql, 'exit');
  for (let copy = 1; copy < copies; copy += 1) {
    let text = '';
    for (const { id, name, type } of items) {
      const digits = /\d{7}|\d+$/.exec(name)![0];
      const raised =
        type === 'folder'
          ? String(Number(digits) + copy * size.folders)
          : String(Number(digits) + copy * size.files).padStart(DIGITS, '0');
      text += `${id + copy * ID_STEP}\t${nameTokens(firmId, name.replace(digits, raised))}\n`;
      if (text.length > 1_000_000) {
        if (!psql.stdin.write(text)) await once(psql.stdin, 'drain');
        text = '';
      }
    }
    psql.stdin.write(text);
  }
  psql.stdin.end();
  const [code] = (await ended) as [number];
  if (code !== 0) throw new Error('The search entries could not be copied.');
}

/**
 * Copies the one firm of a PostgreSQL database so often within the same firm that it holds `copies` times its items and ten times its
 * clients: by SQL alone, without triggers, which would take hours.
 */
export async function multiplyFirm(
  db: Knex,
  firm: { firmId: number; size: FirmSize; copies: number },
  { address, programs }: { address: string; programs: string },
): Promise<void> {
  const { firmId, size, copies } = firm;
  const step = (text: string) => console.error(`  ${new Date().toISOString().slice(11, 19)} ${text}`);
  const indexes = await dropIndexes(db);
  await db.raw(`SET maintenance_work_mem = '2GB'; SET session_replication_role = replica`);
  step('search entries');
  await copySearchEntries(db, address, programs, firm);
  step('clients and items');
  await copyClients(db, firmId, size.clients);
  await copyItems(db, firmId, copies, size);
  await db.raw(`UPDATE firm_usage SET files = files * ${copies}, bytes = bytes * ${copies}`);
  await db.raw(`UPDATE client_totals SET clients = clients * ${CLIENT_COPIES}`);
  await db.raw('DELETE FROM scope_usage');
  await db.raw(
    `INSERT INTO scope_usage (firm_id, scope_client_id, file_type, items, bytes)
     SELECT firm_id, scope_client_id, file_type, count(*), sum(coalesce(file_size, 0)) FROM items WHERE file_type IS NOT NULL GROUP BY 1, 2, 3`,
  );
  await db.raw(
    `INSERT INTO hidden_items (item_id, trash) SELECT id, id FROM item_rows WHERE type = 'file' AND id % ${IN_TRASH} = 0`,
  );
  for (const definition of indexes) {
    step(definition);
    await db.raw(definition);
  }
  step('vacuum');
  await db.raw('VACUUM (ANALYZE, FREEZE)');
  step('ready');
}
