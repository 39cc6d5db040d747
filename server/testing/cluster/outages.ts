import { setTimeout as wait } from 'node:timers/promises';
import type { StartedPostgres } from '../../tools/postgres/server.ts';
import { until } from '../until.ts';
import type { Clients, Wait } from './clients.ts';
import type { Cluster, ServerProcess } from './cluster.ts';

/** What a process is killed in the middle of. */
export const MOMENTS = ['upload', 'extraction', 'payment'] as const;
export type Moment = (typeof MOMENTS)[number];

/** A time in which PostgreSQL or S3 was away, by `performance.now()`. */
export interface Away {
  what: 'PostgreSQL' | 'S3';
  from: number;
  to: number;
  /** Ms from its end until all processes were ready again. */
  readyAfter: number;
}

/** A process that was killed, and when by `performance.now()`. */
export interface Kill {
  moment: Moment;
  at: number;
}

export interface Outages {
  /** When the first process was killed. */
  began: number;
  kills: Kill[];
  away: Away[];
}

const CALLS: Record<Exclude<Moment, 'extraction'>, RegExp> = {
  upload: /^(?:POST|PATCH) \/api\/documents\/resumable/,
  payment: /^POST \/api\/subscription\/(?:webhook|verify-payment)/,
};
/** Ms of an upload or of a payment after which its process is killed. */
const INTO_CALL = 5;
const POSTGRES_AWAY = 2000;
/** So many calls are answered between two outages. */
const BETWEEN = 30;
const PATIENCE = 180_000;

/** Kills processes, stops PostgreSQL and takes S3 away, one after the other, while clients work. */
export async function causeOutages(
  { vault, postgres, clients }: { vault: Cluster; postgres: StartedPostgres; clients: Clients },
  { rounds, s3AwayMs }: { rounds: number; s3AwayMs: number },
): Promise<Outages> {
  const { waits } = clients;

  /** Waits until so many more calls that match were answered. */
  async function goOn(more: number, counts: (one: Wait) => boolean = () => true): Promise<void> {
    const before = waits.length;
    await until(() => {
      clients.check();
      return waits.slice(before).filter(counts).length >= more;
    }, PATIENCE);
  }

  async function isAt(server: ServerProcess, moment: Moment): Promise<boolean> {
    if (moment === 'extraction')
      return (
        (await vault
          .db('jobs')
          .where({ kind: 'extraction', status: 'processing', process: server.process() })
          .first('id')) !== undefined
      );
    const calls = [...vault.balancer.underway].filter(
      ({ port, call }) => port === server.port && CALLS[moment].test(call),
    );
    if (calls.length === 0) return false;
    await wait(INTO_CALL);
    return calls.some((call) => vault.balancer.underway.has(call));
  }

  async function killAt(server: ServerProcess, moment: Moment): Promise<void> {
    await until(async () => {
      clients.check();
      return isAt(server, moment);
    }, PATIENCE);
    await server.kill();
  }

  const ready = () =>
    until(async () => {
      const answers = await Promise.all(
        vault.servers.map(({ base }) => fetch(`${base}/readyz`).catch(() => null)),
      );
      return answers.every((answer) => answer?.status === 200);
    }, PATIENCE);

  async function away(what: Away['what'], work: () => Promise<void>): Promise<Away> {
    const from = performance.now();
    await work();
    const to = performance.now();
    note(`${what} is back`);
    await ready();
    note('all processes are ready');
    return { what, from, to, readyAfter: performance.now() - to };
  }

  const note = (what: string): void => {
    if (process.env['OUTAGES']) process.stderr.write(`${(performance.now() / 1000).toFixed(1)} s: ${what}\n`);
  };

  await goOn(BETWEEN);
  const began = performance.now();
  const kills: Kill[] = [];
  for (let round = 0; round < rounds; round += 1)
    for (const [n, server] of vault.servers.entries()) {
      const moment = MOMENTS[(n + round) % MOMENTS.length]!;
      await killAt(server, moment);
      kills.push({ moment, at: performance.now() });
      note(`killed in mid-${moment}`);
      await goOn(BETWEEN);
      await server.start();
    }
  const restarted = await away('PostgreSQL', async () => {
    postgres.cut();
    await wait(POSTGRES_AWAY);
    await postgres.resume();
  });
  await goOn(BETWEEN);
  const disconnected = await away('S3', async () => {
    await vault.gate.shut();
    await wait(s3AwayMs);
    await vault.gate.open();
  });
  // What waited for S3 is through as well.
  await goOn(BETWEEN, ({ what }) => what === 'upload');
  return { began, kills, away: [restarted, disconnected] };
}
