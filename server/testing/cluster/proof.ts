import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { hasRadosgw, startRadosgw } from '#storage/s3/testing/radosgw.ts';
import { isReal, testServer } from '#storage/s3/testing/server.ts';
import { startPostgres } from '../../tools/postgres/server.ts';
import { runAdminOk } from '../commands.ts';
import { openGateway } from '../gateway/emulator.ts';
import { until } from '../until.ts';
import type { Firm, TimedAction } from './clients.ts';
import { ENTRY_NAMES, startClients } from './clients.ts';
import { withRetries } from './with-retries.ts';
import type { Leftovers } from './leftovers.ts';
import type { Downtime, Outages } from './outages.ts';
import { causeOutages } from './outages.ts';
import type { Cluster } from './cluster.ts';
import { startCluster } from './cluster.ts';

const LEFTOVERS = join(import.meta.dirname, 'leftovers.ts');
const SERVERS = 3;
const CLIENTS = 10;
const execFileAsync = promisify(execFile);

export interface Report {
  /** The kind of S3 server. */
  store: string;
  outages: Outages;
  files: number;
  extractions: number;
  payments: number;
  retriedExtractions: number;
  /** Blobs that killed processes left, and the sweep deleted. */
  swept: number;
  longest: {
    /** Before the first outage: what the machine itself takes. */
    undisturbed: TimedAction;
    /** Since then, of the actions that did not need PostgreSQL or S3 while it was unreachable. */
    disturbed: TimedAction;
    /** From a kill until another process had completed the action that the killed one was working on. */
    takenOver: TimedAction | null;
    /** While S3 was unreachable, of the actions that do not need it. */
    besideS3: TimedAction | null;
    extraction: TimedAction | null;
  };
}

export interface Settings {
  /** In each round each process is killed once, each during another kind of action. */
  rounds: number;
  s3AwayMs: number;
  /** Of the uploads that are sent in several pieces. */
  largeBytes: number;
  /** Between two actions of a client. Without a pause ten clients keep two cores busy, and wait for those instead of for a process. */
  pauseMs: number;
}
/** For the ordinary suite. */
export const SHORT: Settings = { rounds: 1, s3AwayMs: 5000, largeBytes: 2_000_000, pauseMs: 0 };
/** Each process is killed during each kind of action. */
export const WHOLE: Settings = { rounds: 3, s3AwayMs: 30_000, largeBytes: 12_000_000, pauseMs: 500 };

const NEEDS_S3 = new Set(['upload', 'extraction']);
const durationOf = ({ from, to }: TimedAction): number => to - from;
const longest = (calls: readonly TimedAction[]): TimedAction | null =>
  calls.toSorted((a, b) => durationOf(b) - durationOf(a))[0] ?? null;

/** Whether an action needed PostgreSQL or S3 while it was unreachable, or before all processes were ready again. */
const overlapsDowntime = (call: TimedAction, downtimes: readonly Downtime[]): boolean =>
  downtimes.some(
    ({ what, from, to, readyAfter }) =>
      (what === 'PostgreSQL' || NEEDS_S3.has(call.what)) && call.from < to + readyAfter && call.to > from,
  );

/**
 * Ten clients of five firms upload, rename, list, unpack and pay at three processes behind a balancer, while each process is killed,
 * PostgreSQL is stopped and S3 is disconnected. @throws if anything that was confirmed is lost, or there twice.
 */
export async function proveCluster(settings: Settings): Promise<Report> {
  const isRealStore = isReal || (await hasRadosgw());
  const [gateway, postgres, store] = await Promise.all([
    openGateway(),
    startPostgres(),
    isReal || !isRealStore ? testServer() : startRadosgw(),
  ]);
  let vault: Cluster | undefined;
  try {
    const gatewayEnv = {
      RAZORPAY_KEY_ID: gateway.keyId,
      RAZORPAY_KEY_SECRET: gateway.keySecret,
      RAZORPAY_WEBHOOK_SECRET: gateway.webhooks.secret,
      RAZORPAY_API_URL: gateway.url,
      RAZORPAY_CHECKOUT_URL: `${gateway.url}/v1/checkout.js`,
    };
    vault = await startCluster(SERVERS, gatewayEnv, { database: postgres.address, store });
    const { base } = vault.balancer;
    gateway.webhooks.url = `${base}/api/subscription/webhook`;
    // The gateway promises to send each webhook at least once, so it may send it twice.
    gateway.webhooks.copies = 2;
    const clients = await startClients({ base, db: vault.db, gateway }, { ...settings, count: CLIENTS });
    const outages = await causeOutages({ vault, postgres, clients }, settings);
    await clients.end();
    await gateway.webhooks.settled();

    for (const firm of clients.firms) await checkFirm(vault, firm);
    await checkPayments(vault, clients.firms);
    // The imitation of S3 lists nothing any more once an upload to it was cut off.
    const swept = isRealStore ? await checkLeftovers(vault) : 0;

    const { began, downtimes } = outages;
    const calls = clients.actions.filter(({ what }) => what !== 'extraction');
    const callsAfterFirstKill = calls.filter(({ to }) => to > began);
    const s3Downtime = downtimes.find(({ what }) => what === 'S3')!;
    return {
      store: isRealStore ? 'a real S3 server' : 'an imitation of S3',
      outages,
      files: clients.firms.reduce((sum, { files }) => sum + files.length, 0),
      extractions: clients.firms.reduce((sum, { folders }) => sum + folders.length, 0),
      payments: clients.firms.reduce((sum, { payments }) => sum + payments, 0),
      retriedExtractions: clients.retriedExtractions(),
      swept,
      longest: {
        undisturbed: longest(calls.filter(({ to }) => to <= began))!,
        disturbed: longest(callsAfterFirstKill.filter((call) => !overlapsDowntime(call, downtimes)))!,
        takenOver: longest(
          callsAfterFirstKill
            .filter(({ tries }) => tries.length > 1)
            .flatMap((call) =>
              outages.kills
                .filter(({ at }) => at > call.from && at < call.to)
                .map(({ at }) => ({ ...call, from: at })),
            ),
        ),
        besideS3: longest(
          callsAfterFirstKill.filter(
            (call) => !NEEDS_S3.has(call.what) && call.from < s3Downtime.to && call.to > s3Downtime.from,
          ),
        ),
        extraction: longest(clients.actions.filter(({ what }) => what === 'extraction')),
      },
    };
  } finally {
    await vault?.stop();
    await gateway.close();
    await store.close();
    postgres.stop();
  }
}

/** Everything that was confirmed is there once, and nothing else; each file downloads as it was sent. */
async function checkFirm({ db }: Cluster, { owner, files, folders }: Firm): Promise<void> {
  const { firm_id } = await db('items').where({ id: files[0]!.id }).first('firm_id');
  const items: { id: number; name: string; parent_id: number | null; type: string; sha256: string }[] =
    await db('items').where({ firm_id }).select('id', 'name', 'parent_id', 'type', 'sha256');
  const itemsIn = (parent: number | null) => items.filter(({ parent_id }) => parent_id === parent);
  const root = itemsIn(null);
  assert.equal(
    root.map(({ name, type, sha256 }) => (type === 'folder' ? name : `${name} ${sha256}`)).toSorted(),
    [...files.map(({ name, sha256 }) => `${name} ${sha256}`), ...folders].toSorted(),
  );
  let unpacked = 0;
  for (const folder of root.filter(({ type }) => type === 'folder')) {
    const [vouchers, ...others] = itemsIn(folder.id);
    assert.equal([vouchers?.name, others], ['Vouchers', []], folder.name);
    const names = itemsIn(vouchers!.id).map(({ name }) => name);
    assert.equal(names.toSorted(), ENTRY_NAMES, folder.name);
    unpacked += 1 + names.length;
  }
  assert.is(items.length, root.length + unpacked);
  for (const { id, name, sha256 } of files) {
    const { json } = await withRetries(() => owner.post(`/api/documents/${id}/download-token`, {}));
    const answer = await fetch(owner.base + json.download_url);
    const bytes = Buffer.from(await answer.arrayBuffer());
    assert.equal([answer.status, createHash('sha256').update(bytes).digest('hex')], [200, sha256], name);
  }
}

/** Each payment gave one period and one invoice, however often it was reported. */
async function checkPayments({ db }: Cluster, firms: readonly Firm[]): Promise<void> {
  for (const { owner, payments } of firms) {
    const { data } = (await owner.get('/api/subscription/payments')).json;
    assert.is(data.length, payments);
    assert.ok(data.every(({ status }: { status: string }) => status === 'paid'));
  }
  const paymentCount = firms.reduce((sum, { payments }) => sum + payments, 0);
  const subscriptions: { starts_at: string; ends_at: string; firm_id: number }[] = await db('subscriptions');
  assert.is(subscriptions.length, paymentCount);
  assert.is(new Set(subscriptions.map(({ firm_id, ends_at }) => `${firm_id} ${ends_at}`)).size, paymentCount);
  const invoices: { number: string }[] = await db('invoices').select('number');
  assert.equal(
    [invoices.length, new Set(invoices.map(({ number }) => number)).size],
    [paymentCount, paymentCount],
  );
}

/** @returns how many blobs without a row were swept. */
async function checkLeftovers({ db, servers, env }: Cluster): Promise<number> {
  await until(async () => (await db('processes')).length === servers.length);
  await until(
    async () => !(await db('jobs').where({ kind: 'extraction', status: 'processing' }).first('id')),
  );
  assert.equal(
    await db('jobs').whereNotNull('sealed').where({ kind: 'extraction' }),
    [],
    'passwords are wiped',
  );
  const [first] = servers;
  const settings = env(first!.dataDir, first!.port);
  const { stdout } = await execFileAsync(process.execPath, [LEFTOVERS], {
    env: { ...process.env, ...settings },
  });
  const { swept, left } = JSON.parse(stdout) as Leftovers;
  assert.equal(
    Object.entries(left).filter(([, count]) => count > 0),
    [],
  );
  // Totals against sums, the search index, the chain of the history, and every byte.
  assert.match(await runAdminOk(['verify', '--read-data'], settings), /read to the last byte/);
  return swept;
}
