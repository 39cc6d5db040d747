import { writeFile } from 'node:fs/promises';
import { openDatabase, versionOf } from '../datadir/database.ts';
import { BASELINE, withHeader } from '../db/postgres/baseline.ts';
import { schemaFrom } from '../db/postgres/schema-from-sqlite.ts';

// Regenerates `db/postgres/baseline.sql` from all migrations. Once a version with PostgreSQL has been released,
// the baseline is frozen, and later migrations are written for both databases.
const db = openDatabase(':memory:');
await db.migrate.latest();
const { done } = await versionOf(db);
await writeFile(BASELINE, withHeader(done.toSorted().at(-1)!, await schemaFrom(db)));
await db.destroy();
