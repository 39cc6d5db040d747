import type { Knex } from 'knex';

// See `../integrity.ts`. PostgreSQL enforces foreign keys unless constraints or triggers were switched off, so it is enough to look for
// those. Damaged pages show when every row is read.
export async function integrityFaults(db: Knex): Promise<string[]> {
  const faults: string[] = [];
  const tables: { name: string }[] = await db.raw(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename",
  );
  for (const { name } of tables)
    await db.raw(`SELECT count(t::text) FROM "${name}" AS t`).catch((error: Error) => {
      faults.push(`the table ${name} cannot be read: ${error.message}`);
    });
  const disabled: { name: string; table: string }[] = await db.raw(
    `SELECT t.tgname AS name, c.relname AS "table" FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE c.relnamespace = 'public'::regnamespace AND t.tgenabled = 'D'
     UNION ALL SELECT conname, conrelid::regclass::text FROM pg_constraint
     WHERE connamespace = 'public'::regnamespace AND NOT convalidated
     UNION ALL SELECT c.relname, t.relname FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
     WHERE c.relnamespace = 'public'::regnamespace AND NOT x.indisvalid`,
  );
  for (const { name, table } of disabled)
    faults.push(`the rule ${name} of the table ${table} is switched off`);
  return faults;
}
