import { hkdfSync } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/**
 * The cipher of SQLite's pages: AEGIS-256, which also authenticates them. It costs a tenth on processors with AES instructions;
 * ChaCha20-Poly1305 and SQLCipher's AES-256 take more than twice the time of an unsealed database.
 */
const CIPHER = 'aegis';
/** The first bytes of an unsealed database file. */
const HEADER = Buffer.from('SQLite format 3\0');

/** The key of a database's pages, 32 bytes as hex digits. It is derived from the master key's secret and so changes with it. */
export const pageKeyOf = (serverSecret: Buffer): string =>
  Buffer.from(hkdfSync('sha256', serverSecret, Buffer.alloc(0), 'almirah 1 database pages', 32)).toString(
    'hex',
  );

/** Whether a database file exists and is not sealed. */
export function isUnsealed(file: string): boolean {
  const head = Buffer.alloc(HEADER.length);
  try {
    const descriptor = openSync(file, 'r');
    try {
      readSync(descriptor, head, 0, head.length, 0);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  return head.equals(HEADER);
}

/** The first statements on a connection to a sealed database. The last fails on a SQLite build without encryption. */
export const unlockStatements = (key: string): string[] => [
  `PRAGMA cipher = '${CIPHER}'`,
  `PRAGMA key = "raw:${key}"`,
  'SELECT sqlite3mc_version()',
];

/** The file name as a URI, with which `VACUUM INTO` writes a database sealed with this key. The connection must accept URIs. */
export const sealedUri = (file: string, key: string): string =>
  `${pathToFileURL(file).href}?cipher=${CIPHER}&hexkey=${Buffer.from(`raw:${key}`).toString('hex')}`;

type Connection = { run(sql: string, done: (error: Error | null) => void): void };
type Ready = (error: Error | null, connection: Connection) => void;

/** An `afterCreate` hook for a pool: runs these statements on each new connection to `file`. */
export const runOnConnect =
  (statements: readonly string[], file: string) =>
  (connection: Connection, ready: Ready): void => {
    const runFrom = (index: number, error: Error | null): void => {
      const statement = statements[index];
      if (error || !statement) ready(error && explain(error, file), connection);
      else connection.run(statement, (failure) => runFrom(index + 1, failure));
    };
    runFrom(0, null);
  };

/** The database file does not open with the key; the message is for the admin. */
export class DatabaseSealed extends Error {
  override name = 'DatabaseSealed';
}

/** Replaces SQLite's error messages by ones that say what to do. */
function explain(error: Error, file: string): Error {
  if (/no such function: sqlite3mc_version/.test(error.message))
    return new Error(
      'The SQLite here cannot open sealed databases. "npm start" builds the one that can; so does "node server/tools/prepare.mjs start".',
      { cause: error },
    );
  if ((error as { code?: string }).code !== 'SQLITE_NOTADB') return error;
  return new DatabaseSealed(
    `${file} does not open: it is sealed with another master key, or damaged. Give the right key, or restore a backup. Nothing was changed.`,
    { cause: error },
  );
}
