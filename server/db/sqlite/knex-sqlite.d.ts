/** The parts of knex's SQLite dialect that we use. Knex documents how to extend it, but ships no types for it. */
declare module 'knex/lib/dialects/sqlite3/index.js' {
  import type { Knex } from 'knex';
  import type { Database } from 'sqlite3';

  export interface Query {
    sql: string;
    bindings?: unknown[];
    method: string;
    returning?: unknown;
    response?: unknown;
    /** The result of an insert or update. */
    context?: { lastID: number; changes: number };
  }

  /** A statement from the query builder, or raw SQL. */
  export interface Statement {
    _method?: string;
    sql?: string;
  }

  /** Awaiting a transaction awaits its `_promise`. */
  export type Transaction = Knex.Transaction & { _promise: Promise<unknown> };
  export type Work = (trx: Knex.Transaction) => unknown;

  export default class SqliteClient extends Knex.Client {
    /** Set on the client of a transaction. */
    transacting?: boolean;
    transaction(work: Work, config: unknown, outer?: unknown): Transaction;
    runner(statement: Statement): unknown;
    destroy(callback?: (error?: Error) => void): Promise<void>;
    destroyRawConnection(connection: Database): Promise<void>;
    _query(connection: Database, query: Query): Promise<Query>;
  }
}
