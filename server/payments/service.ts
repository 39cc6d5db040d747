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
import { createWebhookEvents, eventJob, GATEWAY_EVENT } from './webhook-events.ts';
import { createGateway } from './gateway.ts';
import type { InvoiceOf } from './history.ts';
import { historyOf } from './history.ts';
import { createOrders } from './orders.ts';
import { mayPay } from './policy.ts';
import { createReconciling } from './reconcile.ts';
import type { GatewaySettings } from './settings.ts';
import type { SettlingDependencies } from './settle.ts';
import { createSettling } from './settle.ts';

interface PaymentsDependencies {
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
  activate: SettlingDependencies['activate'];
  revoke: SettlingDependencies['revoke'];
  onPaid: SettlingDependencies['onPaid'];
  invoicesOf: InvoiceOf;
}

function connect(dependencies: PaymentsDependencies, settings: GatewaySettings) {
  const gateway = createGateway(settings);
  const settling = createSettling({ ...dependencies, gateway });
  const orders = createOrders({ ...dependencies, gateway, settings, settling });
  const events = createWebhookEvents({ ...dependencies, gateway, settings, settling });
  const reconciling = createReconciling({ ...dependencies, settings, settling });
  return { orders, events, reconciling };
}

/** Orders, payments and refunds, through the gateway if there is one. */
export function createPayments(dependencies: PaymentsDependencies) {
  const { db, jobs, settings } = dependencies;
  const connected = settings && connect(dependencies, settings);
  jobs.register(GATEWAY_EVENT, eventJob(connected && connected.events));
  let caughtUp = false;

  function requireGateway() {
    if (!connected) throw new AppError(503, 'payment_not_set_up', NOT_SET_UP);
    return connected;
  }

  return {
    /** What a page needs to open checkout; null when online payment is not set up. */
    checkout: settings && { url: settings.checkoutUrl, apiUrl: settings.apiUrl },

    // Asynchronous, so that a missing gateway is a rejection like any other failure.
    order: async (...args: Parameters<ReturnType<typeof createOrders>['order']>) =>
      requireGateway().orders.order(...args),
    verify: async (...args: Parameters<ReturnType<typeof createOrders>['verify']>) =>
      requireGateway().orders.verify(...args),
    check: async (actor: Actor) => requireGateway().orders.check(actor),
    orderState: async (actor: Actor, id: number) => requireGateway().orders.state(actor, id),

    /** Stores a webhook event; a job processes it, so that the response does not wait for the gateway. */
    receiveEvent: async (body: Buffer, headers: { signature: string; eventId: string }): Promise<void> =>
      requireGateway().events.receive(body, headers),

    /** Processes all events that are due. @returns the number of processed events. */
    actOnEvents: (): Promise<number> => jobs.runDue(GATEWAY_EVENT),

    /** @throws {AppError} 403. */
    async history(actor: Actor): Promise<PaymentView[]> {
      if (!mayPay(actor)) throw forbidden();
      return historyOf(db, actor.firmId, dependencies.invoicesOf);
    },

    /** Checks orders at the gateway that are due. */
    reconcile: async () => requireGateway().reconciling.round(),
    /** Checks every order at the gateway. */
    reconcileAll: async () => requireGateway().reconciling.everything(),

    /** Whether any order has to be checked at the gateway. */
    due: async (): Promise<boolean> =>
      connected !== null && (!caughtUp || (await connected.reconciling.due())),

    /** Checks orders that are due; after a start first all open ones. @returns the number of checked orders. */
    async poll(): Promise<number> {
      const { reconciling } = requireGateway();
      const { asked, reached } = await (caughtUp ? reconciling.round() : reconciling.catchUp());
      caughtUp ||= reached;
      return asked;
    },
  };
}
export type { Paid } from './settle.ts';
export type Payments = ReturnType<typeof createPayments>;
