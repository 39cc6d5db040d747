import { Client, escapeLiteral } from 'pg';
import type { Logger } from 'pino';
import { createHearers } from '../hearers.ts';
import type { Processes, Told } from '../processes.ts';
import { OWN_PROCESS } from '../processes.ts';

/** Whoever serves a database has this lock of it: alone, or together with others. Any number that nobody else takes there. */
const SERVER = 21_093_882;
/** While something is told, so that places rise as what is told comes. */
const TELLING = 21_093_884;
/** Whoever opens a database. */
const OPENING = 21_093_883;
/** The first number of locks that stand for turns and for processes. */
const TURNS = 21_093_885;
/** The channel of what is told, and its places. The names begin as those of knex, which belong to no vault's tables. */
const CHANNEL = 'knex_told';
/** How long a lost connection is made again after, in ms. */
const AGAIN = 500;
/** PostgreSQL takes 8,000 bytes; what is longer is told as lost. */
const LONGEST = 7900;
/** Told while there is no connection, and kept for when there is. */
const KEPT = 1000;
const CLOCK_EVERY = 30_000;

export interface ProcessesOnPostgres extends Processes {
  /** The time of the database, which is the same for all processes. */
  clock(): Date;
  /** Does what no two processes do at once, one after the other. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** Whether another process serves the database now. */
  others(): Promise<boolean>;
  close(): Promise<void>;
}

interface Settings {
  address: string;
  /** Whether others may serve the same database: not where the bytes of files are on this machine. */
  several: boolean;
  /** What an admin reads where somebody else has it. */
  held: string;
  log: Pick<Logger, 'warn'>;
}

/** One connection by which a process hears of the others, and whose locks end with it. */
async function connect({ address, several, held }: Settings): Promise<Client> {
  const client = new Client({
    connectionString: address,
    application_name: `almirah ${OWN_PROCESS}`,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
  });
  // Told by `end`; without a listener it would end the process.
  client.on('error', () => {});
  await client.connect();
  const lock = several ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock';
  const { rows } = await client.query(`SELECT ${lock}($1) AS taken`, [SERVER]);
  if (rows[0].taken) return client;
  await client.end();
  throw new Error(held);
}

const nameOf = (name: string) => `${TURNS}, hashtext(${escapeLiteral(name)})`;

/** Takes a lock on a connection of its own, with which it ends. @returns what gives it back; null while another has it. */
async function lockBeside(address: string, lock: string): Promise<(() => Promise<void>) | null> {
  const client = new Client({ connectionString: address, keepAlive: true });
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query(`SELECT pg_try_advisory_lock(${lock}) AS taken`);
  if (rows[0].taken) return () => client.end();
  await client.end();
  return null;
}

/** Takes a turn of those that serve a database, from a program beside them; see there. */
export const turnBeside = (address: string, name: string) => lockBeside(address, nameOf(name));

/** Keeps everybody from serving a database, on whichever machine. @returns null while somebody does. */
export const serveNobody = (address: string) => lockBeside(address, String(SERVER));

const ofProcess = (id: string) => `process ${id}`;

/**
 * The processes on one database of PostgreSQL: told by NOTIFY, and kept apart by advisory locks of one connection, which end with
 * it. When that breaks it is made again, and what was told meanwhile counts as missed.
 */
export async function processesOnPostgres(settings: Settings): Promise<ProcessesOnPostgres> {
  const { several, held, log } = settings;
  const hearers = createHearers();
  const missing: (() => void)[] = [];
  const taken = new Set<string>();
  let unsent: string[] = [];
  let client: Client | null = null;
  let closed = false;
  let place = 0;
  /** Ms by which the clock of the database is ahead of this machine's. */
  let ahead = 0;
  let timer: NodeJS.Timeout | undefined;

  let last: Promise<unknown> = Promise.resolve();
  /** One question after the other, as the driver wants it. */
  function ask<Row>(sql: string, values: unknown[] = []): Promise<Row[]> {
    const asked = last.then(async () => {
      if (!client) throw new Error('PostgreSQL does not answer.');
      return (await client.query(sql, values)).rows as Row[];
    });
    last = asked.catch(() => {});
    return asked;
  }

  const missed = () => {
    for (const heard of missing) heard();
  };

  async function setClock(): Promise<void> {
    const began = Date.now();
    const [row] = await ask<{ now: string }>('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now');
    const took = Date.now() - began;
    // A slow answer says little.
    if (took < 1000) ahead = Math.round(Number(row!.now) - began - took / 2);
  }

  function hear(payload: string): void {
    const [topic, at, said] = JSON.parse(payload) as [keyof Told | 'lost', number, unknown];
    place = at;
    if (topic === 'lost') missed();
    else hearers.pass(topic, said, at);
  }

  async function open(): Promise<void> {
    const opened = await connect(settings);
    opened.on('notification', ({ payload }) => hear(payload!));
    opened.once('end', () => {
      if (client === opened) client = null;
      if (closed) return;
      log.warn('The connection to PostgreSQL broke. It is made again.');
      reopen();
    });
    try {
      await opened.query(
        `SELECT pg_advisory_xact_lock(${TELLING}); CREATE SEQUENCE IF NOT EXISTS ${CHANNEL}; LISTEN ${CHANNEL}`,
      );
      for (const name of [ofProcess(OWN_PROCESS), ...taken])
        await opened.query(`SELECT pg_try_advisory_lock(${nameOf(name)})`);
      const { rows } = await opened.query(
        `SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS place FROM ${CHANNEL}`,
      );
      place = Math.max(place, Number(rows[0].place));
      client = opened;
      await setClock();
    } catch (error) {
      client = null;
      opened.removeAllListeners('end');
      await opened.end().catch(() => {});
      throw error;
    }
  }

  function sendUnsent(): void {
    const waiting = unsent;
    unsent = [];
    for (const text of waiting) send(text);
  }

  async function openAgain(): Promise<void> {
    await open();
    missed();
    sendUnsent();
  }

  function reopen(): void {
    setTimeout(() => {
      if (closed) return;
      openAgain().catch((error: Error) => {
        if (error.message !== held) return reopen();
        // Somebody has begun to serve it alone: what this process goes on to do would be done beside him.
        setImmediate(() => {
          throw error;
        });
      });
    }, AGAIN);
  }

  function send(text: string): void {
    const literal = escapeLiteral(text);
    const keep = () => {
      if (unsent.length < KEPT) unsent.push(text);
      else unsent = ['"lost",%,null'];
    };
    if (!client) return keep();
    ask(
      `SELECT pg_advisory_xact_lock(${TELLING}); SELECT pg_notify('${CHANNEL}', '[' || replace(${literal}, '%', nextval('${CHANNEL}')::text) || ']')`,
    ).catch((error: unknown) => {
      if (closed) return;
      log.warn({ err: error }, 'other processes could not be told of a change');
      keep();
      // The connection may have been made again meanwhile.
      setTimeout(() => client && sendUnsent(), AGAIN).unref();
    });
  }

  const tell: Processes['tell'] = (topic, said) => {
    const text = `"${topic}",%,${JSON.stringify(said).replaceAll('%', '\\u0025')}`;
    send(Buffer.byteLength(text) > LONGEST ? '"lost",%,null' : text);
  };

  await open();
  timer = setInterval(() => {
    if (client) setClock().catch(() => {});
  }, CLOCK_EVERY).unref();

  return {
    several,
    clock: () => new Date(Date.now() + ahead),
    async inTurn(work) {
      await ask('SELECT pg_advisory_lock($1)', [OPENING]);
      return work().finally(() => ask('SELECT pg_advisory_unlock($1)', [OPENING]));
    },
    async others() {
      const rows = await ask(
        `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objid = $1 AND objsubid = 1
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND pid <> pg_backend_pid()`,
        [SERVER],
      );
      return rows.length > 0;
    },
    place: () => place,
    tell,
    hear: hearers.hear,
    missed: (heard) => void missing.push(heard),
    async turn(name) {
      if (taken.has(name)) return null;
      taken.add(name);
      const drop = (error: unknown) => {
        taken.delete(name);
        throw error;
      };
      const [row] = await ask<{ taken: number }>(
        `SELECT pg_try_advisory_lock(${nameOf(name)}) AS taken`,
      ).catch(drop);
      if (!row!.taken) {
        taken.delete(name);
        return null;
      }
      return async () => {
        if (!taken.delete(name)) return;
        // Where there is no connection, it is free already.
        await ask(`SELECT pg_advisory_unlock(${nameOf(name)})`).catch(() => {});
        tell('free', name);
      };
    },
    async isGone(id) {
      if (id === OWN_PROCESS) return false;
      // For a moment only: a lock of the transaction, which ends with the statement.
      const [row] = await ask<{ free: number }>(
        `SELECT pg_try_advisory_xact_lock(${nameOf(ofProcess(id))}) AS free`,
      );
      return Boolean(row!.free);
    },
    async close() {
      closed = true;
      clearInterval(timer);
      await client?.end().catch(() => {});
    },
  };
}
