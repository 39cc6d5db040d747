/** What we use of knex's dialect for PostgreSQL, which its documentation lets one extend and which comes without types. */
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
    /** Why the pool is not to give it out again. */
    __knex__disposed?: unknown;
  }

  /** What one gets who awaits it is what `_promise` gives. */
  export type Transaction = Knex.Transaction & {
    _promise: Promise<unknown>;
    acquireConnection(config: unknown, work: (connection: unknown) => Promise<unknown>): Promise<unknown>;
    begin(connection: unknown): Promise<unknown>;
    query(connection: unknown, sql: string): Promise<unknown>;
  };
  export type Work = (trx: Knex.Transaction) => unknown;

  export default class PostgresClient extends Knex.Client {
    connectionSettings: Record<string, unknown>;
    /** Whether it is the client of a transaction. */
    transacting?: boolean;
    transaction(work: Work, config: Knex.TransactionConfig | null, outer?: unknown): Transaction;
    acquireRawConnection(): Promise<unknown>;
    positionBindings(sql: string): string;
    columnCompiler(...given: unknown[]): Record<string, unknown>;
    processResponse(query: Query, runner: unknown): unknown;
    _query(connection: Connection, query: Query): Promise<Query>;
  }
}
