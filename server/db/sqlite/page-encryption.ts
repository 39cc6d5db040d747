import { hkdfSync } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/**
 * How SQLite's pages are sealed: AEGIS-256, which authenticates as well, costs a tenth on processors with instructions for AES.
 * ChaCha20-Poly1305 and SQLCipher's AES-256 take more than twice the time of a plain database here.
 */
const CIPHER = 'aegis';
const PLAIN = Buffer.from('SQLite format 3\0');

/** The key of a database's pages, 32 bytes as hex digits. It changes with the master key, from which the secret comes. */
export const pageKeyOf = (serverSecret: Buffer): string =>
  Buffer.from(hkdfSync('sha256', serverSecret, Buffer.alloc(0), 'almirah 1 database pages', 32)).toString(
    'hex',
  );

/** Whether a database file is there and anybody can read it. */
export function isPlain(file: string): boolean {
  const head = Buffer.alloc(PLAIN.length);
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
  return head.equals(PLAIN);
}

/** What a connection to a sealed database says before anything else; the last is known only to a SQLite that can seal. */
export const unlocking = (key: string): string[] => [
  `PRAGMA cipher = '${CIPHER}'`,
  `PRAGMA key = "raw:${key}"`,
  'SELECT sqlite3mc_version()',
];

/** The name under which `VACUUM INTO` writes a database sealed with this key, on a connection that takes names as URIs. */
export const sealedName = (file: string, key: string): string =>
  `${pathToFileURL(file).href}?cipher=${CIPHER}&hexkey=${Buffer.from(`raw:${key}`).toString('hex')}`;

type Connection = { run(sql: string, done: (error: Error | null) => void): void };
type Ready = (error: Error | null, connection: Connection) => void;

/** For a pool: runs these statements on each connection to `file` before it is used. */
export const beginningWith =
  (statements: readonly string[], file: string) =>
  (connection: Connection, ready: Ready): void => {
    const next = (at: number, error: Error | null): void => {
      const statement = statements[at];
      if (error || !statement) ready(error && explained(error, file), connection);
      else connection.run(statement, (failed) => next(at + 1, failed));
    };
    next(0, null);
  };

/** In place of what SQLite says, which tells nobody what to do. */
function explained(error: Error, file: string): Error {
  if (/no such function: sqlite3mc_version/.test(error.message))
    return new Error(
      'The SQLite here cannot open sealed databases. "npm start" builds the one that can; so does "node server/tools/prepare.mjs start".',
      { cause: error },
    );
  if ((error as { code?: string }).code !== 'SQLITE_NOTADB') return error;
  return new Error(
    `${file} does not open: it is sealed with another master key, or damaged. Give the right key, or restore a backup. Nothing was changed.`,
    { cause: error },
  );
}
