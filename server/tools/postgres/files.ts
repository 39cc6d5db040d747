/** Rooms and files of tests that tell nothing about PostgreSQL, and why. */
const SQLITE_ONLY: Readonly<Record<string, string>> = {
  'server/db/sqlite/': 'SQLite’s own client',
  'server/audit/chain.test.ts': 'takes triggers away, which stay away in a database that others use after it',
  'server/audit/service.test.ts': 'reads rows of old migrations',
  'server/backups/': 'copies a file of SQLite',
  'server/datadir/copies.test.ts': 'copies a file of SQLite',
  'server/datadir/disk-reserve.test.ts': 'asks no database',
  'server/datadir/full-database.test.ts': 'fills a file of SQLite',
  'server/datadir/health.test.ts': 'opens a file of SQLite',
  'server/datadir/full-start.test.ts': 'opens a file of SQLite',
  'server/datadir/keys/': 'asks no database',
  'server/datadir/migrations.test.ts': 'goes down and up migrations that the baseline stands for',
  'server/datadir/planted.test.ts': 'reads the bytes of a file of SQLite',
  'server/datadir/rewrite.test.ts': 'writes a file of SQLite anew',
  'server/datadir/seal-database.test.ts': 'seals the pages of SQLite',
  'server/datadir/file-modes.test.ts': 'looks at a file of SQLite',
  'server/documents/lists/covering-index.test.ts': 'asks the planner of SQLite',
  'server/documents/lists/shares.test.ts': 'makes rows in the words of SQLite; the plan is its planner’s',
  'server/reading/secret.test.ts': 'reads the bytes of a file of SQLite',
  'server/records/deleted-names.test.ts': 'reads the bytes of a file of SQLite',
  'server/serving/unlock.test.ts': 'opens a file of SQLite',
  'server/tools/': 'are the commands, which work on a file of SQLite',
  'server/uploads/disk-full.test.ts': 'fills a file of SQLite',
  'server/updates/': 'puts a file of SQLite back',
};

const ABOUT_BOTH = [
  'server/tools/commands-on-postgres.test.ts',
  'server/tools/backup-on-postgres.test.ts',
  'server/tools/move-database.test.ts',
];

/** Takes longer than one file may: `npm run test:growth -- outages` runs it by itself. */
const BY_ITSELF = 'server/serving/cluster-outages.test.ts';

const isSqliteOnly = (path: string): boolean =>
  !ABOUT_BOTH.includes(path) && Object.keys(SQLITE_ONLY).some((part) => path.startsWith(part));

export const runsOnPostgres = (path: string): boolean => path !== BY_ITSELF && !isSqliteOnly(path);

/** Those whose rooms have most SQL of their own, in a minute or two: what `npm test` runs. */
const CORE: readonly string[] = [
  'server/clients/',
  'server/dashboard/',
  'server/datadir/postgres/',
  'server/db/',
  'server/documents/',
  'server/downloads/',
  'server/jobs/',
  'server/records/',
  'server/search/',
  'server/serving/on-postgres.test.ts',
  'server/sharing/',
  'server/subscription/',
  'server/text/',
  'server/tools/backup-on-postgres.test.ts',
  'server/tools/move-database.test.ts',
  'server/uploads/receive.test.ts',
];

export const isInCore = (path: string): boolean => CORE.some((part) => path.startsWith(part));
