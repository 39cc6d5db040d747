import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { GatewayEmulator } from '../testing/gateway/emulator.ts';
import { openGateway } from '../testing/gateway/emulator.ts';
import { onPostgres } from '../db/dialect.ts';
import { bareDatabase } from '../testing/postgres.ts';
import { ASHA } from '../testing/http-world.ts';
import { until } from '../testing/until.ts';
import { Visitor, bearer } from '../testing/visitor.ts';

interface World {
  gateway: GatewayEmulator;
  dataDir: string;
  children: ChildProcess[];
  /** Where its database is, if not in the data folder. */
  database: Awaited<ReturnType<typeof bareDatabase>> | null;
}

const test = suite<World>('a killed server');
test.before.each(async (world) => {
  world.database = onPostgres ? await bareDatabase() : null;
  world.gateway = await openGateway();
  world.dataDir = await mkdtemp(join(tmpdir(), 'almirah-'));
  world.children = [];
});
test.after.each(async ({ gateway, dataDir, children, database }) => {
  for (const child of children) child.kill('SIGKILL');
  await gateway.close();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** The production server without pages, on a free port. */
async function start({ gateway, dataDir, children, database }: World) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../testing/bare-server.ts')], {
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: dataDir,
      ...(database && { DATABASE_URL: database.address }),
      LOG_LEVEL: 'info',
      RAZORPAY_KEY_ID: gateway.keyId,
      RAZORPAY_KEY_SECRET: gateway.keySecret,
      RAZORPAY_WEBHOOK_SECRET: gateway.webhooks.secret,
      RAZORPAY_API_URL: gateway.url,
      RAZORPAY_CHECKOUT_URL: `${gateway.url}/v1/checkout.js`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const base = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
      const port = /http:\/\/localhost:(\d+)/.exec(output)?.[1];
      if (port) resolve(`http://127.0.0.1:${port}`);
    });
    child.once('exit', () => reject(new Error(`The server did not start: ${output}`)));
  });
  return {
    base,
    child,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

test('a server killed between capture and commit loses no payment and counts none twice', async (world) => {
  const { gateway } = world;
  let server = await start(world);
  const visitor = await new Visitor(server.base).arrive();
  const { token } = (await visitor.post('/api/auth/register', ASHA)).json.data;
  const call = (method: string, path: string, body?: unknown) =>
    new Visitor(server.base).call(method, path, {
      headers: bearer(token),
      ...(body !== undefined && { body }),
    });
  const current = async () => (await call('GET', '/api/subscription/current')).json.data;
  const ends: string[] = [];

  // Each round kills the server at another moment after the gateway has reported the captured payment.
  for (const wait of [0, 1, 3, 8]) {
    const { data: order } = (
      await call('POST', '/api/subscription/order', { plan_id: 1, billing_cycle: 'monthly' })
    ).json;
    const payment = gateway.ledger.pay(order.order_id);
    const killed = server;
    gateway.afterResponse = async (path) => {
      if (!path.endsWith('/payments')) return;
      gateway.afterResponse = null;
      await delay(wait);
      await killed.kill();
    };
    await call('POST', '/api/subscription/verify-payment', {
      subscription_id: order.subscription_id,
      ...gateway.proof(payment.id),
    }).catch(() => 'the line is cut');
    await killed.kill();
    server = await start(world);
    // The new server finds the payment by its first polling round, unless it was committed before the kill.
    await until(async () => {
      const { status, subscription } = await current();
      const isNew = status === 'active' && !ends.includes(subscription.ends_at);
      if (isNew) ends.push(subscription.ends_at);
      return isNew;
    });
  }

  const { data: history } = (await call('GET', '/api/subscription/payments')).json;
  assert.is(history.length, 4);
  assert.ok(history.every((row: { status: string }) => row.status === 'paid'));
  assert.is(new Set(history.map((row: { invoice: { number: string } }) => row.invoice.number)).size, 4);
  const months = (Date.parse(ends.at(-1)!) - Date.parse(ends[0]!)) / (24 * 60 * 60_000);
  assert.ok(months > 85 && months < 95, 'four payments are four months, neither more nor less');
  await server.kill();
});

test.run();
