import type { Actor } from '#server/actor.ts';
import type { OrderView } from '../payments/contract.ts';
import type { GatewayEmulator } from './gateway/emulator.ts';
import { openGateway } from './gateway/emulator.ts';
import { Visitor, bearer } from './visitor.ts';
import type { TestResponse } from './visitor.ts';
import type { World, WorldOptions } from './world.ts';
import { freshWorld } from './world.ts';

export const SELLER = {
  seller: { name: 'Almirah Software LLP', address: '12 MG Road\nMumbai 400001', gstin: '27AAAPZ0000Q1ZL' },
  prefix: 'AL',
  sac: '997331',
  appName: 'Almirah',
};

/** A user who buys a plan. */
export interface Customer {
  actor: Actor;
  call(method: string, path: string, body?: unknown): Promise<TestResponse>;
  order(plan_id?: number, billing_cycle?: string): Promise<OrderView>;
  verify(order: OrderView, proof: Record<string, unknown>): Promise<TestResponse>;
  /** The response of GET /api/subscription/current. */
  // eslint-disable-next-line typescript/no-explicit-any -- a test looks at what came, whatever that is
  current(): Promise<any>;
}

/** A running office and an emulated gateway that knows its webhook. */
export interface PaymentsWorld {
  world: World;
  gateway: GatewayEmulator;
  base: string;
  customer(): Promise<Customer>;
  close(): Promise<void>;
}

function gatewaySettings(gateway: GatewayEmulator) {
  return {
    keyId: gateway.keyId,
    keySecret: gateway.keySecret,
    webhookSecrets: [gateway.webhooks.secret],
    apiUrl: gateway.url,
    checkoutUrl: `${gateway.url}/v1/checkout.js`,
  };
}

export async function openPaymentsWorld(
  options: WorldOptions = {},
  site?: Parameters<World['serve']>[0],
): Promise<PaymentsWorld> {
  const gateway = await openGateway();
  const world = await freshWorld({
    gateway: gatewaySettings(gateway),
    invoicing: SELLER,
    abuseLimits: false,
    ...options,
  });
  const base = await world.serve(site);
  gateway.webhooks.url = `${base}/api/subscription/webhook`;

  return {
    world,
    gateway,
    base,
    async customer() {
      const { actor, token } = await world.build.account();
      const visitor = new Visitor(base);
      const call: Customer['call'] = (method, path, body) =>
        visitor.call(method, path, { headers: bearer(token), ...(body !== undefined && { body }) });
      return {
        actor,
        call,
        async order(plan_id = 2, billing_cycle = 'monthly') {
          const got = await call('POST', '/api/subscription/order', { plan_id, billing_cycle });
          if (got.status !== 200) throw new Error(`order: ${got.status} ${got.text}`);
          return got.json.data as OrderView;
        },
        verify: (order, proof) =>
          call('POST', '/api/subscription/verify-payment', {
            subscription_id: order.subscription_id,
            ...proof,
          }),
        current: async () => (await call('GET', '/api/subscription/current')).json.data,
      };
    },
    async close() {
      await gateway.close();
      await world.close();
    },
  };
}
