import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import knex from 'knex';
import type { Knex } from 'knex';
import { freshBucket, testServer } from '#storage/s3/testing/server.ts';
import { postgres } from '../../../knexfile.ts';
import { freePort } from '../free-port.ts';
import { bareDatabase } from '../postgres.ts';
import { until } from '../until.ts';
import type { Balancer } from './balancer.ts';
import { startBalancer } from './balancer.ts';

const BARE = join(import.meta.dirname, '../bare-server.ts');

export interface ServerProcess {
  port: number;
  base: string;
  /** Data folder of this process. */
  dataDir: string;
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
  /** A connection of the test's own. */
  db: Knex;
  /** The settings of one more process. */
  env(dataDir: string, port: number): Record<string, string>;
  stop(): Promise<void>;
}

async function createServerProcess(
  env: (dataDir: string, port: number) => Record<string, string>,
  balancer: Balancer,
): Promise<ServerProcess> {
  const port = await freePort();
  const dataDir = await mkdtemp(join(tmpdir(), 'almirah-several-'));
  const base = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  let output = '';
  return {
    port,
    base,
    dataDir,
    output: () => output,
    async start() {
      const started = spawn(process.execPath, [BARE], {
        env: { ...process.env, ...env(dataDir, port) },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = started;
      for (const stream of [started.stdout, started.stderr])
        stream.on('data', (text: Buffer) => (output += String(text)));
      await until(async () => {
        if (started.exitCode !== null) throw new Error(`The server did not start. ${output}`);
        return (await fetch(`${base}/readyz`).catch(() => null))?.status === 200;
      }, 60_000);
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

/** Starts `count` processes: the first one creates the vault, then the others start together. */
export async function startCluster(count: number, more: Record<string, string> = {}): Promise<Cluster> {
  const [store, database, balancer] = await Promise.all([testServer(), bareDatabase(), startBalancer()]);
  const { bucket, prefix, endpoint, region, keyId, secret } = await freshBucket(store);
  const masterKey = randomBytes(32).toString('hex');
  const env = (dataDir: string, port: number) => ({
    DATA_DIR: dataDir,
    DATABASE_URL: database.address,
    BLOBS: `s3://${bucket}/${prefix.slice(0, -1)}?endpoint=${endpoint}&region=${region}`,
    BLOBS_S3_KEY_ID: keyId,
    BLOBS_S3_SECRET: secret,
    MASTER_KEY: masterKey,
    PORT: String(port),
    BASE_URL: balancer.base,
    ABUSE_LIMITS: 'off',
    READING: 'off',
    LOG_LEVEL: 'warn',
    ...more,
  });
  const servers = await Promise.all(Array.from({ length: count }, () => createServerProcess(env, balancer)));
  const db = knex(postgres(database.address));
  async function stop(): Promise<void> {
    await Promise.all(servers.map((server) => server.kill()));
    await balancer.close();
    await db.destroy();
    await database.drop();
    await store.close();
    for (const { dataDir } of servers) await rm(dataDir, { recursive: true, force: true });
  }
  try {
    const [first, ...others] = servers;
    await first!.start();
    await Promise.all(others.map((server) => server.start()));
  } catch (error) {
    await stop();
    throw error;
  }
  return { balancer, servers, db, env, stop };
}
