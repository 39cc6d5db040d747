/** What we use of knex's SQLite dialect, which its documentation lets one extend and which comes without types. */
declare module 'knex/lib/dialects/sqlite3/index.js' {
  import type { Knex } from 'knex';
  import type { Database } from 'sqlite3';

  export interface Query {
    sql: string;
    bindings?: unknown[];
    method: string;
    returning?: unknown;
    response?: unknown;
    /** What an insert or a change tells of itself. */
    context?: { lastID: number; changes: number };
  }

  /** A statement as it is built: by the query builder, or given as text. */
  export interface Statement {
    _method?: string;
    sql?: string;
  }

  /** What one gets who awaits it is what `_promise` gives. */
  export type Transaction = Knex.Transaction & { _promise: Promise<unknown> };
  export type Work = (trx: Knex.Transaction) => unknown;

  export default class SqliteClient extends Knex.Client {
    /** Whether it is the client of a transaction. */
    transacting?: boolean;
    transaction(work: Work, config: unknown, outer?: unknown): Transaction;
    runner(statement: Statement): unknown;
    destroy(callback?: (error?: Error) => void): Promise<void>;
    destroyRawConnection(connection: Database): Promise<void>;
    _query(connection: Database, query: Query): Promise<Query>;
  }
}
