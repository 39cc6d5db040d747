/** The parts of knex's PostgreSQL dialect that we use. Knex documents how to extend it, but ships no types for it. */
declare module 'knex/lib/dialects/postgres/index.js' {
  import type { Knex } from 'knex';

  export interface Query {
    sql: string;
    bindings?: unknown[];
    method: string;
    output?: unknown;
    options?: object;
    response?: { rows: unknown[]; rowCount: number | null; command: string };
  }

  export interface Connection {
    /** Set to an error, it makes the pool discard the connection. */
    __knex__disposed?: unknown;
  }

  /** Awaiting a transaction awaits its `_promise`. */
  export type Transaction = Omit<Knex.Transaction, 'commit'> & {
    _promise: Promise<unknown>;
    acquireConnection(config: unknown, work: (connection: unknown) => Promise<unknown>): Promise<unknown>;
    begin(connection: unknown): Promise<unknown>;
    commit(connection: unknown, value: unknown): Promise<unknown>;
    query(connection: unknown, sql: string): Promise<unknown>;
  };
  export type Work = (trx: Knex.Transaction) => unknown;

  export default class PostgresClient extends Knex.Client {
    connectionSettings: Record<string, unknown>;
    /** Set on the client of a transaction. */
    transacting?: boolean;
    transaction(work: Work, config: Knex.TransactionConfig | null, outer?: unknown): Transaction;
    acquireRawConnection(): Promise<unknown>;
    positionBindings(sql: string): string;
    columnCompiler(...args: unknown[]): Record<string, unknown>;
    processResponse(query: Query, runner: unknown): unknown;
    _query(connection: Connection, query: Query): Promise<Query>;
  }
}
