import type { Knex } from 'knex';
import type { Query, Statement as Built, Transaction, Work } from 'knex/lib/dialects/sqlite3/index.js';
import KnexSqlite from 'knex/lib/dialects/sqlite3/index.js';
import type { Database, RunResult, Statement } from 'sqlite3';

/** Statements kept for each connection, some 10 KB each; the one unused for longest goes first. */
const KEPT = 300;
/** Longer ones are lists of rows to write, seldom of the same length again. */
const LONGEST = 4000;

interface Prepared {
  statement: Statement;
  dropped: boolean;
}

/** By connection and text, the one used last stands last. Transactions have clients of their own, so it is not in them. */
const prepared = new WeakMap<Database, Map<string, Prepared>>();

function of(connection: Database): Map<string, Prepared> {
  const kept = prepared.get(connection) ?? new Map<string, Prepared>();
  prepared.set(connection, kept);
  return kept;
}

/** What still runs is ended first. */
function drop(one: Prepared): void {
  if (one.dropped) return;
  one.dropped = true;
  one.statement.finalize();
}

function prepare(connection: Database, sql: string): Promise<Prepared> {
  return new Promise((resolve, reject) => {
    const statement = connection.prepare(sql, (error: Error | null) =>
      error ? reject(error) : resolve({ statement, dropped: false }),
    );
  });
}

function run(statement: Statement, query: Query): Promise<Query> {
  const { method, returning, bindings = [] } = query;
  const changes = method === 'insert' || method === 'update' ? !returning : /^(?:counter|del)$/.test(method);
  return new Promise((resolve, reject) => {
    function done(this: RunResult, error: Error | null, rows?: unknown[]): void {
      if (error) return reject(error);
      // Copied, since the statement may run again before they are read.
      const context = { lastID: this.lastID, changes: this.changes };
      resolve(Object.assign(query, { response: rows, context }));
    }
    statement[changes ? 'run' : 'all'](bindings, done);
  });
}

/** Only reads; a word too careful (`replace()` is a function too) sends it where writing is allowed, which is no harm. */
function reads({ _method, sql }: Built): boolean {
  if (_method) return /^(?:select|first|pluck)$/.test(_method);
  return (
    sql !== undefined &&
    /^\s*(?:SELECT|WITH)\b/i.test(sql) &&
    !/\b(?:INSERT|UPDATE|DELETE|REPLACE)\b/i.test(sql)
  );
}

export interface SqliteConfig extends Knex.Config {
  /** The pool of the connections that only read; without it one connection does all. */
  readers?: Knex.PoolConfig;
  /** Awaited before each transaction, and before each statement outside of one that may write. */
  beforeWrite?: () => Promise<void>;
  /** Makes room when the disk had none for what was written; then that is tried once more. */
  whenFull?: () => Promise<void>;
}

const isFull = (error: unknown): boolean => (error as { code?: string } | null)?.code === 'SQLITE_FULL';

const withoutRoom = ({ beforeWrite: _before, whenFull: _full, ...config }: SqliteConfig): SqliteConfig =>
  config;

/**
 * Knex's SQLite client, with two things added.
 *
 * It prepares each statement once. Knex itself has SQLite parse and plan the same text again for every call, which for
 * a small query is most of the time.
 *
 * What only reads, outside of transactions, goes to connections of its own: with a write-ahead log nobody who reads
 * has to wait for one who writes. A read sees all that was committed before it began.
 */
export class SqliteClient extends KnexSqlite {
  // Not private: a transaction's client is made from the prototype, without it, so all of a transaction is in one place.
  readonly readers?: SqliteClient;

  // Of a transaction's client too.
  declare readonly config: SqliteConfig;

  constructor({ readers, ...config }: SqliteConfig) {
    super(config);
    if (readers) this.readers = new SqliteClient({ ...withoutRoom(config), pool: readers });
  }

  override runner(built: Built): unknown {
    return this.readers && reads(built) ? this.readers.runner(built) : super.runner(built);
  }

  override async acquireConnection(): Promise<unknown> {
    await this.config.beforeWrite?.();
    return super.acquireConnection();
  }

  /**
   * A transaction of a function is tried once more when the disk was full, which SQLite says at any statement or only at
   * the commit, and has rolled all of it back then.
   */
  override transaction(work: Work, config: unknown, outer?: unknown): Transaction {
    const { whenFull } = this.config;
    if (outer || !whenFull) return super.transaction(work, config, outer);
    let ended = false;
    const transaction = super.transaction(
      (trx) => {
        const result = work(trx);
        // Otherwise somebody outside ends it, who cannot begin again.
        ended = typeof (result as PromiseLike<unknown> | undefined)?.then === 'function';
        return result;
      },
      config,
      outer,
    );
    // oxlint-disable-next-line no-underscore-dangle -- knex's own, which `then` of a transaction stands for
    transaction._promise = transaction._promise.catch(async (error: unknown) => {
      if (!isFull(error)) throw error;
      await whenFull();
      if (!ended) throw error;
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
    const kept = of(connection);
    const one = kept.get(sql) ?? (await prepare(connection, sql));
    kept.delete(sql);
    if (sql.length <= LONGEST) kept.set(sql, one);
    if (kept.size > KEPT) {
      const [eldest, unused] = kept.entries().next().value!;
      kept.delete(eldest);
      drop(unused);
    }
    try {
      return await run(one.statement, query).catch(async (error: unknown) => {
        if (!isFull(error) || this.transacting || !this.config.whenFull) throw error;
        await this.config.whenFull();
        return run(one.statement, query);
      });
    } catch (error) {
      // The statement may stand in the middle of its rows and hold a lock.
      if (kept.get(sql) === one) kept.delete(sql);
      // A full disk may have rolled back already: then what was wrong is to be told, and not that this was too late.
      if (/^ROLLBACK;?$/.test(sql) && String(error).includes('no transaction is active'))
        return Object.assign(query, { response: [], context: { lastID: 0, changes: 0 } });
      throw error;
    } finally {
      if (kept.get(sql) !== one) drop(one);
    }
  }

  override async destroyRawConnection(connection: Database): Promise<void> {
    for (const one of of(connection).values()) drop(one);
    await super.destroyRawConnection(connection);
  }
}
