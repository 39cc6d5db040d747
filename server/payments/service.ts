import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Actor } from '#server/actor.ts';
import type { UserView } from '#server/auth/contract.ts';
import type { Audit } from '#server/audit/service.ts';
import { AppError, forbidden } from '#server/http/errors.ts';
import type { RateLimiter } from '#server/http/rate-limiter.ts';
import type { Jobs } from '#server/jobs/service.ts';
import type { PlanView } from '#server/subscription/contract.ts';
import type { Clock } from '../clock.ts';
import type { PaymentView } from './contract.ts';
import { NOT_SET_UP } from './contract.ts';
import { createEvents, eventJob, GATEWAY_EVENT } from './events.ts';
import { createGateway } from './gateway.ts';
import type { InvoiceOf } from './history.ts';
import { historyOf } from './history.ts';
import { createOrders } from './orders.ts';
import { mayPay } from './policy.ts';
import { createReconciling } from './reconcile.ts';
import type { GatewaySettings } from './settings.ts';
import type { SettlingParts } from './settle.ts';
import { createSettling } from './settle.ts';

export interface PaymentsParts {
  db: Knex;
  clock: Clock;
  log: Logger;
  audit: Audit;
  jobs: Pick<Jobs, 'enqueue' | 'register' | 'runDue'>;
  limits: Pick<RateLimiter, 'check'>;
  /** Null when online payment is not set up. */
  settings: GatewaySettings | null;
  planOnSale(id: number): Promise<PlanView | null>;
  viewer(actor: Actor): Promise<UserView>;
  activate: SettlingParts['activate'];
  revoke: SettlingParts['revoke'];
  onPaid: SettlingParts['onPaid'];
  invoicesOf: InvoiceOf;
}

function connect(parts: PaymentsParts, settings: GatewaySettings) {
  const gateway = createGateway(settings);
  const settling = createSettling({ ...parts, gateway });
  const orders = createOrders({ ...parts, gateway, settings, settling });
  const events = createEvents({ ...parts, gateway, settings, settling });
  const reconciling = createReconciling({ ...parts, settings, settling });
  return { orders, events, reconciling };
}

/** Orders, payments and refunds, through the gateway if there is one. */
export function createPayments(parts: PaymentsParts) {
  const { db, jobs, settings } = parts;
  const connected = settings && connect(parts, settings);
  jobs.register(GATEWAY_EVENT, eventJob(connected && connected.events));
  let caughtUp = false;

  function setUp() {
    if (!connected) throw new AppError(503, 'payment_not_set_up', NOT_SET_UP);
    return connected;
  }

  return {
    /** What a page needs to open checkout; null when online payment is not set up. */
    checkout: settings && { url: settings.checkoutUrl, apiUrl: settings.apiUrl },

    // Asynchronous, so that a missing gateway is a rejection like any other failure.
    order: async (...given: Parameters<ReturnType<typeof createOrders>['order']>) =>
      setUp().orders.order(...given),
    verify: async (...given: Parameters<ReturnType<typeof createOrders>['verify']>) =>
      setUp().orders.verify(...given),
    check: async (actor: Actor) => setUp().orders.check(actor),
    orderState: async (actor: Actor, id: number) => setUp().orders.state(actor, id),

    /** Takes in an event of the gateway; a job acts on it, so that the answer does not wait for the gateway. */
    hear: async (body: Buffer, from: { signature: string; eventId: string }): Promise<void> =>
      setUp().events.receive(body, from),

    /** Acts on all events whose time has come. @returns on how many it could. */
    actOnEvents: (): Promise<number> => jobs.runDue(GATEWAY_EVENT),

    /** @throws {AppError} 403 for who may not see the firm's payments. */
    async history(actor: Actor): Promise<PaymentView[]> {
      if (!mayPay(actor)) throw forbidden();
      return historyOf(db, actor.firmId, parts.invoicesOf);
    },

    /** One round of asking the gateway about orders whose time has come. */
    reconcile: async () => setUp().reconciling.round(),
    /** The same about every order there is. */
    reconcileAll: async () => setUp().reconciling.everything(),

    /** Whether anything is to be asked of the gateway now. */
    due: async (): Promise<boolean> =>
      connected !== null && (!caughtUp || (await connected.reconciling.due())),

    /** One round of it; the first one since the start is about all that may have been paid meanwhile. */
    async poll(): Promise<number> {
      const { reconciling } = setUp();
      const { asked, reached } = await (caughtUp ? reconciling.round() : reconciling.catchUp());
      caughtUp ||= reached;
      return asked;
    },
  };
}
export type { Paid } from './settle.ts';
export type Payments = ReturnType<typeof createPayments>;
