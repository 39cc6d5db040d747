import { setTimeout as wait } from 'node:timers/promises';
import type { StartedPostgres } from '../../tools/postgres/server.ts';
import { until } from '../until.ts';
import type { Clients, TimedAction } from './clients.ts';
import type { Cluster, ServerProcess } from './cluster.ts';

/** What a process is killed in the middle of. */
export const MOMENTS = ['upload', 'extraction', 'payment'] as const;
export type Moment = (typeof MOMENTS)[number];

/** A time in which PostgreSQL or S3 was unreachable, by `performance.now()`. */
export interface Downtime {
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
  downtimes: Downtime[];
}

const CALLS_OF_ACTION: Record<Exclude<Moment, 'extraction'>, RegExp> = {
  upload: /^(?:POST|PATCH) \/api\/documents\/resumable/,
  payment: /^POST \/api\/subscription\/(?:webhook|verify-payment)/,
};
/** Ms of an upload or of a payment after which its process is killed. */
const MS_INTO_CALL = 5;
const POSTGRES_DOWN_MS = 2000;
/** The number of actions that clients complete between two outages. */
const ACTIONS_BETWEEN_OUTAGES = 30;
const TIMEOUT_MS = 180_000;

/** Kills each process, stops PostgreSQL and disconnects S3, one after the other, while clients work. */
export async function causeOutages(
  { vault, postgres, clients }: { vault: Cluster; postgres: StartedPostgres; clients: Clients },
  { rounds, s3AwayMs }: { rounds: number; s3AwayMs: number },
): Promise<Outages> {
  const { actions } = clients;

  /** Waits until the clients have completed this many more actions that match. */
  async function waitForActions(
    count: number,
    matches: (action: TimedAction) => boolean = () => true,
  ): Promise<void> {
    const before = actions.length;
    await until(() => {
      clients.check();
      return actions.slice(before).filter(matches).length >= count;
    }, TIMEOUT_MS);
  }

  async function isDuring(server: ServerProcess, moment: Moment): Promise<boolean> {
    if (moment === 'extraction')
      return (
        (await vault
          .db('jobs')
          .where({ kind: 'extraction', status: 'processing', process: server.process() })
          .first('id')) !== undefined
      );
    const calls = [...vault.balancer.pending].filter(
      ({ port, call }) => port === server.port && CALLS_OF_ACTION[moment].test(call),
    );
    if (calls.length === 0) return false;
    await wait(MS_INTO_CALL);
    return calls.some((call) => vault.balancer.pending.has(call));
  }

  async function killDuring(server: ServerProcess, moment: Moment): Promise<void> {
    await until(async () => {
      clients.check();
      return isDuring(server, moment);
    }, TIMEOUT_MS);
    await server.kill();
  }

  const waitUntilReady = () =>
    until(async () => {
      const answers = await Promise.all(
        vault.servers.map(({ base }) => fetch(`${base}/readyz`).catch(() => null)),
      );
      return answers.every((answer) => answer?.status === 200);
    }, TIMEOUT_MS);

  async function measureDowntime(
    what: Downtime['what'],
    interruption: () => Promise<void>,
  ): Promise<Downtime> {
    const from = performance.now();
    await interruption();
    const to = performance.now();
    logProgress(`${what} is back`);
    await waitUntilReady();
    logProgress('all processes are ready');
    return { what, from, to, readyAfter: performance.now() - to };
  }

  const logProgress = (what: string): void => {
    if (process.env['OUTAGES']) process.stderr.write(`${(performance.now() / 1000).toFixed(1)} s: ${what}\n`);
  };

  await waitForActions(ACTIONS_BETWEEN_OUTAGES);
  const began = performance.now();
  const kills: Kill[] = [];
  for (let round = 0; round < rounds; round += 1)
    for (const [n, server] of vault.servers.entries()) {
      const moment = MOMENTS[(n + round) % MOMENTS.length]!;
      await killDuring(server, moment);
      kills.push({ moment, at: performance.now() });
      logProgress(`killed in mid-${moment}`);
      await waitForActions(ACTIONS_BETWEEN_OUTAGES);
      await server.start();
    }
  const postgresDowntime = await measureDowntime('PostgreSQL', async () => {
    postgres.kill();
    await wait(POSTGRES_DOWN_MS);
    await postgres.restart();
  });
  await waitForActions(ACTIONS_BETWEEN_OUTAGES);
  const s3Downtime = await measureDowntime('S3', async () => {
    await vault.gate.shut();
    await wait(s3AwayMs);
    await vault.gate.open();
  });
  // The uploads that waited for S3 have completed as well.
  await waitForActions(ACTIONS_BETWEEN_OUTAGES, ({ what }) => what === 'upload');
  return { began, kills, downtimes: [postgresDowntime, s3Downtime] };
}
