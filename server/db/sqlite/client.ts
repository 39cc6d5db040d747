import type { Knex } from 'knex';
import type { Query, Statement as Built, Transaction, Work } from 'knex/lib/dialects/sqlite3/index.js';
import KnexSqlite from 'knex/lib/dialects/sqlite3/index.js';
import type { Database, RunResult, Statement } from 'sqlite3';

/** Prepared statements that are cached for each connection, some 10 KB each. The least recently used is evicted first. */
const MAX_STATEMENTS = 300;
/** Longer statements are bulk inserts, whose length seldom repeats: they are not cached. */
const MAX_CACHED_LENGTH = 4000;

interface PreparedStatement {
  statement: Statement;
  finalized: boolean;
}

type StatementCache = Map<string, PreparedStatement>;

/**
 * By connection and SQL text, the most recently used last. It is not a property of the client, since each transaction has a client of
 * its own on the same connection.
 */
const caches = new WeakMap<Database, StatementCache>();

function cacheOf(connection: Database): StatementCache {
  const cache: StatementCache = caches.get(connection) ?? new Map();
  caches.set(connection, cache);
  return cache;
}

/** The driver lets a running execution end first. */
function finalize(prepared: PreparedStatement): void {
  if (prepared.finalized) return;
  prepared.finalized = true;
  prepared.statement.finalize();
}

function prepare(connection: Database, sql: string): Promise<PreparedStatement> {
  return new Promise((resolve, reject) => {
    const statement = connection.prepare(sql, (error: Error | null) =>
      error ? reject(error) : resolve({ statement, finalized: false }),
    );
  });
}

function run(statement: Statement, query: Query): Promise<Query> {
  const { method, returning, bindings = [] } = query;
  const returnsNoRows =
    method === 'insert' || method === 'update' ? !returning : /^(?:counter|del)$/.test(method);
  return new Promise((resolve, reject) => {
    function done(this: RunResult, error: Error | null, rows?: unknown[]): void {
      if (error) return reject(error);
      // Copied, since the same statement may run again before knex reads them.
      const context = { lastID: this.lastID, changes: this.changes };
      resolve(Object.assign(query, { response: rows, context }));
    }
    statement[returnsNoRows ? 'run' : 'all'](bindings, done);
  });
}

/**
 * Whether a statement only reads. When in doubt (`replace()` is also a function) the answer is no: then it runs on the connection that
 * may write, which does no harm.
 */
function isReadOnly({ _method, sql }: Built): boolean {
  if (_method) return /^(?:select|first|pluck)$/.test(_method);
  return (
    sql !== undefined &&
    /^\s*(?:SELECT|WITH)\b/i.test(sql) &&
    !/\b(?:INSERT|UPDATE|DELETE|REPLACE)\b/i.test(sql)
  );
}

export interface SqliteConfig extends Knex.Config {
  /** The pool of read-only connections; without it, one connection reads and writes. */
  readers?: Knex.PoolConfig;
  /** Awaited before each transaction, and before each statement outside of a transaction that may write. */
  beforeWrite?: () => Promise<void>;
  /** Frees space after a write failed on a full disk; the write is then retried once. */
  whenFull?: () => Promise<void>;
}

const isFull = (error: unknown): boolean => (error as { code?: string } | null)?.code === 'SQLITE_FULL';

const withoutHooks = ({ beforeWrite: _before, whenFull: _full, ...config }: SqliteConfig): SqliteConfig =>
  config;

/**
 * Knex's SQLite client with two additions.
 *
 * It caches prepared statements. Knex has SQLite parse and plan the same text again for every call, which for a small query takes most
 * of the time.
 *
 * Statements that only read, outside of transactions, run on a pool of read-only connections: with the write-ahead log, readers do not
 * wait for the writer. A read sees everything that was committed before it began.
 */
export class SqliteClient extends KnexSqlite {
  // Not a private field: knex creates a transaction's client from the prototype, where it must be undefined, so that a transaction
  // stays on one connection.
  readonly readers?: SqliteClient;

  // A transaction's client has it as well.
  declare readonly config: SqliteConfig;

  constructor({ readers, ...config }: SqliteConfig) {
    super(config);
    if (readers) this.readers = new SqliteClient({ ...withoutHooks(config), pool: readers });
  }

  override runner(built: Built): unknown {
    return this.readers && isReadOnly(built) ? this.readers.runner(built) : super.runner(built);
  }

  override async acquireConnection(): Promise<unknown> {
    await this.config.beforeWrite?.();
    return super.acquireConnection();
  }

  /**
   * A transaction given as an async function is retried once after the disk was full. SQLite reports that at any statement or at the
   * commit, and has rolled the transaction back by then. So the function must not add to outer variables.
   */
  override transaction(work: Work, config: unknown, outer?: unknown): Transaction {
    const { whenFull } = this.config;
    if (outer || !whenFull) return super.transaction(work, config, outer);
    let isAsyncFunction = false;
    const transaction = super.transaction(
      (trx) => {
        const result = work(trx);
        // Otherwise the caller commits the transaction itself, and it cannot be run again from here.
        isAsyncFunction = typeof (result as PromiseLike<unknown> | undefined)?.then === 'function';
        return result;
      },
      config,
      outer,
    );
    // oxlint-disable-next-line no-underscore-dangle -- knex's own promise, to which `then` of a transaction delegates
    transaction._promise = transaction._promise.catch(async (error: unknown) => {
      if (!isFull(error)) throw error;
      await whenFull();
      if (!isAsyncFunction) throw error;
      return super.transaction(work, config, outer);
    });
    return transaction;
  }

  override async destroy(callback?: (error?: Error) => void): Promise<void> {
    await this.readers?.destroy();
    await super.destroy(callback);
  }

  override async _query(connection: Database, query: Query): Promise<Query> {
    const { sql } = query;
    const cache = cacheOf(connection);
    const prepared = cache.get(sql) ?? (await prepare(connection, sql));
    cache.delete(sql);
    if (sql.length <= MAX_CACHED_LENGTH) cache.set(sql, prepared);
    if (cache.size > MAX_STATEMENTS) {
      const [oldestSql, oldest] = cache.entries().next().value!;
      cache.delete(oldestSql);
      finalize(oldest);
    }
    try {
      return await run(prepared.statement, query).catch(async (error: unknown) => {
        if (!isFull(error) || this.transacting || !this.config.whenFull) throw error;
        await this.config.whenFull();
        return run(prepared.statement, query);
      });
    } catch (error) {
      // A statement that stopped between two rows may hold a lock, so it is not used again.
      if (cache.get(sql) === prepared) cache.delete(sql);
      // SQLite may have rolled back already, on a full disk: the original error must not be replaced by that of this ROLLBACK.
      if (/^ROLLBACK;?$/.test(sql) && String(error).includes('no transaction is active'))
        return Object.assign(query, { response: [], context: { lastID: 0, changes: 0 } });
      throw error;
    } finally {
      if (cache.get(sql) !== prepared) finalize(prepared);
    }
  }

  override async destroyRawConnection(connection: Database): Promise<void> {
    for (const prepared of cacheOf(connection).values()) finalize(prepared);
    await super.destroyRawConnection(connection);
  }
}
