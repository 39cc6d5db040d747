import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import knex from 'knex';
import type { Knex } from 'knex';
import type { TestServer } from '#storage/s3/testing/server.ts';
import { freshBucket, testServer } from '#storage/s3/testing/server.ts';
import { postgres } from '../../../knexfile.ts';
import { freePort } from '../free-port.ts';
import { bareDatabase } from '../postgres.ts';
import { until } from '../until.ts';
import type { Balancer } from './balancer.ts';
import { startBalancer } from './balancer.ts';
import type { Gate } from './gate.ts';
import { startGate } from './gate.ts';

const BARE_SERVER = join(import.meta.dirname, '../bare-server.ts');

export interface ServerProcess {
  port: number;
  base: string;
  /** Data folder of this process. */
  dataDir: string;
  /** Its name in the table `processes`; a new one with each start. */
  process(): string;
  /** Its process id in the operating system, while it runs. */
  pid(): number | undefined;
  /** Its standard output and error. */
  output(): string;
  /** Kills it with SIGKILL and removes it from the balancer. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
}

/** A vault in PostgreSQL and a bucket, served by several processes behind a balancer. */
export interface Cluster {
  balancer: Balancer;
  servers: ServerProcess[];
  /** A proxy between the servers and the bucket. */
  gate: Gate;
  /** A connection of the test's own. */
  db: Knex;
  /** The environment variables of one more process. */
  env(dataDir: string, port: number): Record<string, string>;
  stop(): Promise<void>;
}

async function createServerProcess(
  env: (dataDir: string, port: number) => Record<string, string>,
  balancer: Balancer,
  processes: () => Promise<string[]>,
): Promise<ServerProcess> {
  const port = await freePort();
  const dataDir = await mkdtemp(join(tmpdir(), 'almirah-several-'));
  const base = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  let output = '';
  let processId = '';
  return {
    port,
    base,
    dataDir,
    output: () => output,
    process: () => processId,
    pid: () => child?.pid,
    async start() {
      const others = new Set(await processes());
      const started = spawn(process.execPath, [BARE_SERVER], {
        env: { ...process.env, ...env(dataDir, port) },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = started;
      for (const stream of [started.stdout, started.stderr])
        stream.on('data', (text: Buffer) => (output += String(text)));
      await until(async () => {
        if (started.exitCode !== null) throw new Error(`The server did not start. ${output}`);
        return (await fetch(`${base}/readyz`).catch(() => null))?.status === 200;
      });
      processId = (await processes()).find((id) => !others.has(id)) ?? '';
      balancer.up.add(port);
    },
    async kill() {
      balancer.up.delete(port);
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** Servers that the caller starts and stops. By default the PostgreSQL of `DATABASE_URL` and a test store are used. */
export interface GivenServers {
  /** The address of a PostgreSQL. */
  database?: string;
  store?: TestServer;
}

/** Starts `count` processes one after the other; the first one creates the vault. */
export async function startCluster(
  count: number,
  extraEnv: Record<string, string> = {},
  given: GivenServers = {},
): Promise<Cluster> {
  const [store, database, balancer] = await Promise.all([
    given.store ?? testServer(),
    bareDatabase('UTF8', given.database),
    startBalancer(),
  ]);
  const { bucket, prefix, endpoint, region, keyId, secret } = await freshBucket(store);
  const gate = await startGate(endpoint);
  const masterKey = randomBytes(32).toString('hex');
  const env = (dataDir: string, port: number) => ({
    DATA_DIR: dataDir,
    DATABASE_URL: database.address,
    BLOBS: `s3://${bucket}/${prefix.slice(0, -1)}?endpoint=${gate.endpoint}&region=${region}`,
    BLOBS_S3_KEY_ID: keyId,
    BLOBS_S3_SECRET: secret,
    MASTER_KEY: masterKey,
    PORT: String(port),
    BASE_URL: balancer.base,
    ABUSE_LIMITS: 'off',
    READING: 'off',
    LOG_LEVEL: 'warn',
    ...extraEnv,
  });
  const db = knex(postgres(database.address));
  async function processes(): Promise<string[]> {
    // The first start creates the table.
    const rows: { id: string }[] = await db('processes')
      .select('id')
      .catch(() => []);
    return rows.map(({ id }) => id);
  }
  const servers = await Promise.all(
    Array.from({ length: count }, () => createServerProcess(env, balancer, processes)),
  );
  async function stop(): Promise<void> {
    await Promise.all(servers.map((server) => server.kill()));
    await balancer.close();
    await db.destroy();
    await database.drop();
    await gate.close();
    if (!given.store) await store.close();
    for (const { dataDir } of servers) await rm(dataDir, { recursive: true, force: true });
  }
  try {
    for (const server of servers) await server.start();
  } catch (error) {
    await stop();
    throw error;
  }
  return { balancer, servers, gate, db, env, stop };
}
