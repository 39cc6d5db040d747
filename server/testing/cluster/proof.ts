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
import type { Firm, Wait } from './clients.ts';
import { ENTRY_NAMES, startClients } from './clients.ts';
import { withRetries } from './with-retries.ts';
import type { Leftovers } from './leftovers.ts';
import type { Away, Outages } from './outages.ts';
import { causeOutages } from './outages.ts';
import type { Cluster } from './cluster.ts';
import { startCluster } from './cluster.ts';

const LEFTOVERS = join(import.meta.dirname, 'leftovers.ts');
const SERVERS = 3;
const CLIENTS = 10;
const run = promisify(execFile);

export interface Report {
  /** The kind of S3 server. */
  store: string;
  outages: Outages;
  files: number;
  extractions: number;
  payments: number;
  begunAgain: number;
  /** Blobs that killed processes left, and the sweep deleted. */
  swept: number;
  longest: {
    /** Before the first outage: what the machine itself takes. */
    undisturbed: Wait;
    /** Since then, of what did not need PostgreSQL or S3 while that was away. */
    disturbed: Wait;
    /** From a kill until another process had done what the killed one was asked for. */
    takenOver: Wait | null;
    /** While S3 was away, of what does not need it. */
    besideS3: Wait | null;
    extraction: Wait | null;
  };
}

export interface Settings {
  /** In each round each process is killed once, each in another moment. */
  rounds: number;
  s3AwayMs: number;
  /** Of the uploads that are sent in several pieces. */
  largeBytes: number;
  /** Between two actions of a client. Without a pause ten clients keep two cores busy, and wait for those instead of for a process. */
  pauseMs: number;
}
/** For the ordinary suite. */
export const SHORT: Settings = { rounds: 1, s3AwayMs: 5000, largeBytes: 2_000_000, pauseMs: 0 };
/** Each process is killed in each moment. */
export const WHOLE: Settings = { rounds: 3, s3AwayMs: 30_000, largeBytes: 12_000_000, pauseMs: 500 };

const NEEDS_S3 = new Set(['upload', 'extraction']);
const length = ({ from, to }: Wait): number => to - from;
const longest = (waits: readonly Wait[]): Wait | null =>
  waits.toSorted((a, b) => length(b) - length(a))[0] ?? null;

/** Whether a call was under way while something that it needs was away, or was coming back. */
const wasAway = (call: Wait, away: readonly Away[]): boolean =>
  away.some(
    ({ what, from, to, readyAfter }) =>
      (what === 'PostgreSQL' || NEEDS_S3.has(call.what)) && call.from < to + readyAfter && call.to > from,
  );

/**
 * Ten clients of five firms upload, rename, list, unpack and pay at three processes behind a balancer, while each process is killed,
 * PostgreSQL is stopped and S3 is taken away. @throws when anything that was confirmed is lost, or there twice.
 */
export async function proveCluster(settings: Settings): Promise<Report> {
  const real = isReal || (await hasRadosgw());
  const [gateway, postgres, store] = await Promise.all([
    openGateway(),
    startPostgres(),
    isReal || !real ? testServer() : startRadosgw(),
  ]);
  let vault: Cluster | undefined;
  try {
    const more = {
      RAZORPAY_KEY_ID: gateway.keyId,
      RAZORPAY_KEY_SECRET: gateway.keySecret,
      RAZORPAY_WEBHOOK_SECRET: gateway.webhooks.secret,
      RAZORPAY_API_URL: gateway.url,
      RAZORPAY_CHECKOUT_URL: `${gateway.url}/v1/checkout.js`,
    };
    vault = await startCluster(SERVERS, more, { database: postgres.address, store });
    const { base } = vault.balancer;
    gateway.webhooks.url = `${base}/api/subscription/webhook`;
    // The gateway promises to send each at least once.
    gateway.webhooks.copies = 2;
    const clients = await startClients({ base, db: vault.db, gateway }, { ...settings, count: CLIENTS });
    const outages = await causeOutages({ vault, postgres, clients }, settings);
    await clients.end();
    await gateway.webhooks.settled();

    for (const firm of clients.firms) await checkFirm(vault, firm);
    await checkPayments(vault, clients.firms);
    // An imitation lists nothing any more once an upload to it was cut off.
    const swept = real ? await checkLeftovers(vault) : 0;

    const { began, away } = outages;
    const waits = clients.waits.filter(({ what }) => what !== 'extraction');
    const later = waits.filter(({ to }) => to > began);
    const s3 = away.find(({ what }) => what === 'S3')!;
    return {
      store: real ? 'a real S3 server' : 'an imitation of S3',
      outages,
      files: clients.firms.reduce((sum, { files }) => sum + files.length, 0),
      extractions: clients.firms.reduce((sum, { folders }) => sum + folders.length, 0),
      payments: clients.firms.reduce((sum, { payments }) => sum + payments, 0),
      begunAgain: clients.begunAgain(),
      swept,
      longest: {
        undisturbed: longest(waits.filter(({ to }) => to <= began))!,
        disturbed: longest(later.filter((one) => !wasAway(one, away)))!,
        takenOver: longest(
          later
            .filter(({ tries }) => tries.length > 1)
            .flatMap((one) =>
              outages.kills
                .filter(({ at }) => at > one.from && at < one.to)
                .map(({ at }) => ({ ...one, from: at })),
            ),
        ),
        besideS3: longest(
          later.filter((one) => !NEEDS_S3.has(one.what) && one.from < s3.to && one.to > s3.from),
        ),
        extraction: longest(clients.waits.filter(({ what }) => what === 'extraction')),
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
  const inside = (parent: number | null) => items.filter(({ parent_id }) => parent_id === parent);
  const root = inside(null);
  assert.equal(
    root.map(({ name, type, sha256 }) => (type === 'folder' ? name : `${name} ${sha256}`)).toSorted(),
    [...files.map(({ name, sha256 }) => `${name} ${sha256}`), ...folders].toSorted(),
  );
  let unpacked = 0;
  for (const folder of root.filter(({ type }) => type === 'folder')) {
    const [vouchers, ...others] = inside(folder.id);
    assert.equal([vouchers?.name, others], ['Vouchers', []], folder.name);
    const names = inside(vouchers!.id).map(({ name }) => name);
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

/** Each payment gave one period and one invoice, however often it was told of. */
async function checkPayments({ db }: Cluster, firms: readonly Firm[]): Promise<void> {
  for (const { owner, payments } of firms) {
    const { data } = (await owner.get('/api/subscription/payments')).json;
    assert.is(data.length, payments);
    assert.ok(data.every(({ status }: { status: string }) => status === 'paid'));
  }
  const all = firms.reduce((sum, { payments }) => sum + payments, 0);
  const subscriptions: { starts_at: string; ends_at: string; firm_id: number }[] = await db('subscriptions');
  assert.is(subscriptions.length, all);
  assert.is(new Set(subscriptions.map(({ firm_id, ends_at }) => `${firm_id} ${ends_at}`)).size, all);
  const invoices: { number: string }[] = await db('invoices').select('number');
  assert.equal([invoices.length, new Set(invoices.map(({ number }) => number)).size], [all, all]);
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
  const { stdout } = await run(process.execPath, [LEFTOVERS], { env: { ...process.env, ...settings } });
  const { swept, left } = JSON.parse(stdout) as Leftovers;
  assert.equal(
    Object.entries(left).filter(([, count]) => count > 0),
    [],
  );
  // Totals against sums, the search index, the chain of the history, and every byte.
  assert.match(await runAdminOk(['verify', '--read-data'], settings), /read to the last byte/);
  return swept;
}
