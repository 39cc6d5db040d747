import { Client, escapeLiteral } from 'pg';
import type { Logger } from 'pino';
import type { ProcessMessages, Processes } from '../processes.ts';
import { OWN_PROCESS } from '../processes.ts';
import { createSubscribers } from '../subscribers.ts';
import { ADVISORY_LOCKS, namedLock, processLock } from './advisory-locks.ts';

/**
 * The channel of the notifications, and the sequence that numbers them. The prefix `knex_` keeps the sequence apart from the vault's
 * own tables.
 */
const CHANNEL = 'knex_told';
/** The payload that tells every process that a message was lost; `%` stands for the sequence number. */
const LOST = '"lost",%,null';
const RECONNECT_AFTER_MS = 500;
/** PostgreSQL limits a notification to 8,000 bytes; a longer message is sent as lost. */
const MAX_PAYLOAD_BYTES = 7900;
/** Messages that wait for the connection to be restored. With more, all of them count as lost. */
const MAX_UNSENT = 1000;
const CLOCK_SYNC_MS = 30_000;
/** How long to wait for the end of the session of a broken connection. */
const END_SESSION_MS = 5000;

export interface PostgresProcesses extends Processes {
  /** The time of the database server, which is the same for all processes. */
  clock(): Date;
  /** Runs `work` while no other process opens the database. */
  withOpeningLock<T>(work: () => Promise<T>): Promise<T>;
  /** Whether another process serves the database now. */
  hasOthers(): Promise<boolean>;
  close(): Promise<void>;
}

interface Settings {
  address: string;
  /** Whether other processes may serve the same database: not if the files are on this machine. */
  several: boolean;
  /** The error message for the admin if another process holds the database. */
  refusal: string;
  log: Pick<Logger, 'warn'>;
}

/**
 * Ends the session of a broken connection, since PostgreSQL may not have noticed yet that nobody is there, and keeps its locks so long.
 * @param pid of its backend process; the name of the application tells it from a later one with the same number.
 */
const endSession = (client: Client, pid: number | undefined) =>
  client.query(
    `SELECT pg_terminate_backend(pid, ${END_SESSION_MS}) FROM pg_stat_activity
     WHERE pid = $1 AND application_name = current_setting('application_name')`,
    [pid],
  );

/**
 * Opens the connection for notifications and advisory locks, and takes the server lock. The locks are released when it closes.
 * @param lastPid of the connection that this one replaces.
 */
async function connect({ address, several, refusal }: Settings, lastPid?: number): Promise<Client> {
  const client = new Client({
    connectionString: address,
    application_name: `almirah ${OWN_PROCESS}`,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
  });
  // The event `end` follows. An `error` event without a listener would crash the process.
  client.on('error', () => {});
  await client.connect();
  await endSession(client, lastPid);
  const lock = several ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock';
  const { rows } = await client.query(`SELECT ${lock}($1) AS locked`, [ADVISORY_LOCKS.server]);
  if (rows[0].locked) return client;
  await client.end();
  throw new Error(refusal);
}

/** Takes these locks again on a new connection. @returns the names of those that another process has taken meanwhile. */
async function retakeLocks(client: Client, names: Iterable<string>): Promise<string[]> {
  const lost: string[] = [];
  for (const name of names) {
    const { rows } = await client.query(`SELECT pg_try_advisory_lock(${namedLock(name)}) AS locked`);
    if (!rows[0].locked) lost.push(name);
  }
  return lost;
}

/**
 * Connects this process with the others on one PostgreSQL database: messages go by LISTEN and NOTIFY, locks are session-level advisory
 * locks. Both use one connection outside of the pool. When it breaks, it is restored with its locks, and `onMissed` subscribers are
 * called, since notifications may have been lost meanwhile.
 */
export async function connectProcesses(settings: Settings): Promise<PostgresProcesses> {
  const { several, refusal, log } = settings;
  const subscribers = createSubscribers();
  const missedCallbacks: (() => void)[] = [];
  /** The locks that this process holds, by name, each with what tells its holder from a later one. */
  const locked = new Map<string, symbol>();
  let unsent: string[] = [];
  let client: Client | null = null;
  /** The process of PostgreSQL behind the last connection. */
  let lastPid: number | undefined;
  let closed = false;
  let sequence = 0;
  /** How far the database server's clock is ahead of this machine's. */
  let clockOffsetMs = 0;
  let timer: NodeJS.Timeout | undefined;

  let lastQuery: Promise<unknown> = Promise.resolve();
  /** Runs queries one after the other, as the driver requires. */
  function query<Row>(sql: string, values: unknown[] = []): Promise<Row[]> {
    const result = lastQuery.then(async () => {
      if (!client) throw new Error('PostgreSQL does not answer.');
      return (await client.query(sql, values)).rows as Row[];
    });
    lastQuery = result.catch(() => {});
    return result;
  }

  const notifyMissed = () => {
    for (const callback of missedCallbacks) callback();
  };

  async function syncClock(): Promise<void> {
    const sentAt = Date.now();
    const [row] = await query<{ now: string }>('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now');
    const roundTripMs = Date.now() - sentAt;
    // A slow response gives an inexact time.
    if (roundTripMs < 1000) clockOffsetMs = Math.round(Number(row!.now) - sentAt - roundTripMs / 2);
  }

  function receive(payload: string): void {
    const [topic, number, message] = JSON.parse(payload) as [keyof ProcessMessages | 'lost', number, unknown];
    sequence = number;
    if (topic === 'lost') notifyMissed();
    else subscribers.deliver(topic, message, number);
  }

  /** Another process took the lock while this one had no connection: whoever holds it here is asked to stop. */
  function loseLock(name: string): void {
    log.warn({ lock: name }, 'another process took a lock while PostgreSQL could not be reached');
    locked.delete(name);
    subscribers.deliver('wanted', name, sequence);
  }

  async function open(): Promise<void> {
    const opened = await connect(settings, lastPid);
    opened.on('notification', ({ payload }) => receive(payload!));
    opened.once('end', () => {
      if (client === opened) client = null;
      if (closed) return;
      log.warn('The connection to PostgreSQL broke. It is made again.');
      reconnect();
    });
    try {
      await opened.query(
        `SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.publishing}); CREATE SEQUENCE IF NOT EXISTS ${CHANNEL}; LISTEN ${CHANNEL}`,
      );
      // Shared, so that it only waits for another process that looks at this very moment: see `isDead`.
      await opened.query(`SELECT pg_advisory_lock_shared(${namedLock(processLock(OWN_PROCESS))})`);
      const lost = await retakeLocks(opened, locked.keys());
      const { rows } = await opened.query(
        `SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last FROM ${CHANNEL}`,
      );
      sequence = Math.max(sequence, Number(rows[0].last));
      client = opened;
      lastPid = (opened as Client & { processID: number }).processID;
      for (const name of lost) loseLock(name);
      await syncClock();
    } catch (error) {
      client = null;
      opened.removeAllListeners('end');
      await opened.end().catch(() => {});
      throw error;
    }
  }

  function sendUnsent(): void {
    const payloads = unsent;
    unsent = [];
    for (const payload of payloads) send(payload);
  }

  async function restore(): Promise<void> {
    await open();
    notifyMissed();
    sendUnsent();
  }

  function reconnect(): void {
    setTimeout(() => {
      if (closed) return;
      restore().catch((error: Error) => {
        if (error.message !== refusal) return reconnect();
        // Another process serves the database exclusively now: this one must not go on beside it, so it crashes.
        setImmediate(() => {
          throw error;
        });
      });
    }, RECONNECT_AFTER_MS);
  }

  function send(payload: string): void {
    const keepUnsent = () => {
      if (unsent.length < MAX_UNSENT) unsent.push(payload);
      else unsent = [LOST];
    };
    if (!client) return keepUnsent();
    query(
      `SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.publishing}); SELECT pg_notify('${CHANNEL}', '[' || replace(${escapeLiteral(payload)}, '%', nextval('${CHANNEL}')::text) || ']')`,
    ).catch((error: unknown) => {
      if (closed) return;
      log.warn({ err: error }, 'other processes could not be told of a change');
      keepUnsent();
      // The connection may have been restored before the message was put back.
      setTimeout(() => client && sendUnsent(), RECONNECT_AFTER_MS).unref();
    });
  }

  const publish: Processes['publish'] = (topic, message) => {
    const payload = `"${topic}",%,${JSON.stringify(message).replaceAll('%', '\\u0025')}`;
    send(Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES ? LOST : payload);
  };

  await open();
  timer = setInterval(() => {
    if (client) syncClock().catch(() => {});
  }, CLOCK_SYNC_MS).unref();

  return {
    several,
    clock: () => new Date(Date.now() + clockOffsetMs),
    async withOpeningLock(work) {
      await query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.opening]);
      return work().finally(() => query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCKS.opening]));
    },
    async hasOthers() {
      const rows = await query(
        `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objid = $1 AND objsubid = 1
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND pid <> pg_backend_pid()`,
        [ADVISORY_LOCKS.server],
      );
      return rows.length > 0;
    },
    lastSequence: () => sequence,
    publish,
    subscribe: subscribers.subscribe,
    onMissed: (callback) => void missedCallbacks.push(callback),
    async tryLock(name) {
      // Session-level advisory locks are reentrant, so a second holder in this process has to be refused here.
      if (locked.has(name)) return null;
      const holder = Symbol(name);
      locked.set(name, holder);
      let acquired = false;
      try {
        const [row] = await query<{ locked: boolean }>(
          `SELECT pg_try_advisory_lock(${namedLock(name)}) AS locked`,
        );
        acquired = row!.locked;
      } finally {
        if (!acquired) locked.delete(name);
      }
      if (!acquired) return null;
      return async () => {
        if (locked.get(name) !== holder) return;
        locked.delete(name);
        // Without a connection the lock is released already.
        await query(`SELECT pg_advisory_unlock(${namedLock(name)})`).catch(() => {});
        publish('free', name);
      };
    },
    async isDead(id) {
      if (id === OWN_PROCESS) return false;
      // A transaction-level lock: it is released when the statement ends.
      const [row] = await query<{ free: boolean }>(
        `SELECT pg_try_advisory_xact_lock(${namedLock(processLock(id))}) AS free`,
      );
      return row!.free;
    },
    async close() {
      closed = true;
      clearInterval(timer);
      await client?.end().catch(() => {});
    },
  };
}
