/** Rooms and test files that run on SQLite only, and why. */
const SQLITE_ONLY: Readonly<Record<string, string>> = {
  'server/db/sqlite/': 'SQLite’s own client',
  'server/audit/chain.test.ts': 'drops triggers, which other tests in the same database need later',
  'server/audit/service.test.ts': 'reads rows of old migrations',
  'server/backups/': 'copies a file of SQLite',
  'server/datadir/cannot-use.test.ts': 'opens a file of SQLite',
  'server/datadir/copies.test.ts': 'copies a file of SQLite',
  'server/datadir/require-files.test.ts': 'opens a file of SQLite',
  'server/datadir/disk-reserve.test.ts': 'uses no database',
  'server/datadir/full-database.test.ts': 'fills a file of SQLite',
  'server/datadir/health.test.ts': 'opens a file of SQLite',
  'server/datadir/full-start.test.ts': 'opens a file of SQLite',
  'server/datadir/keys/': 'uses no database',
  'server/datadir/migrations.test.ts':
    'reverts and repeats migrations, which the baseline replaces on PostgreSQL',
  'server/datadir/planted.test.ts': 'reads the bytes of a file of SQLite',
  'server/datadir/rewrite.test.ts': 'rewrites a file of SQLite',
  'server/datadir/seal-database.test.ts': 'encrypts the pages of SQLite',
  'server/datadir/file-modes.test.ts': 'checks the mode of a file of SQLite',
  'server/documents/lists/covering-index.test.ts': 'checks a query plan of SQLite',
  'server/documents/lists/shares.test.ts': 'uses SQL of SQLite, and checks its query plan',
  'server/reading/secret.test.ts': 'reads the bytes of a file of SQLite',
  'server/records/deleted-names.test.ts': 'reads the bytes of a file of SQLite',
  'server/serving/unlock.test.ts': 'opens a file of SQLite',
  'server/serving/updates.test.ts': 'restores a file of SQLite',
  'server/tools/': 'runs commands, which work on a file of SQLite',
  'server/uploads/disk-full.test.ts': 'fills a file of SQLite',
  'server/updates/': 'restores a file of SQLite',
};

/** Test files in the rooms above that run on PostgreSQL all the same. */
const EXCEPTIONS = [
  'server/tools/commands-on-postgres.test.ts',
  'server/tools/backup-on-postgres.test.ts',
  'server/tools/move-database.test.ts',
];

/** Takes longer than a test file may: `npm run test:growth -- outages` runs it separately. */
const RUN_SEPARATELY = 'server/serving/cluster-outages.test.ts';

const isSqliteOnly = (path: string): boolean =>
  !EXCEPTIONS.includes(path) && Object.keys(SQLITE_ONLY).some((prefix) => path.startsWith(prefix));

export const runsOnPostgres = (path: string): boolean => path !== RUN_SEPARATELY && !isSqliteOnly(path);

/** The rooms and test files with most SQL of their own: `npm test` runs a larger share of them. */
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
  'server/tools/backup-on-postgres.test.ts',
  'server/tools/move-database.test.ts',
  'server/uploads/receive.test.ts',
];

export const isInCore = (path: string): boolean => CORE.some((prefix) => path.startsWith(prefix));
