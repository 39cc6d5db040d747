import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Actor } from '#server/actor.ts';
import type { UserView } from '#server/auth/contract.ts';
import type { Audit } from '#server/audit/service.ts';
import type { Limit, RateLimiter } from '#server/http/rate-limiter.ts';
import { AppError, conflict, forbidden, invalid, notFound } from '#server/http/errors.ts';
import type { PlanView } from '#server/subscription/contract.ts';
import type { Clock } from '../clock.ts';
import type { OrderRequest, OrderState, OrderView, Verification } from './contract.ts';
import { UNVERIFIED } from './contract.ts';
import type { Gateway } from './gateway.ts';
import { GatewayFault } from './gateway.ts';
import { mayPay } from './policy.ts';
import type { FoundBy } from './model.ts';
import { Order, Payment, ordersOfMode } from './model.ts';
import { nextCheck } from './schedule.ts';
import type { GatewaySettings } from './settings.ts';
import type { Settled, Settling } from './settle.ts';
import { isPaymentSignature } from './signatures.ts';

const DAY = 24 * 60 * 60_000;
/** How far back "I have paid, check again" looks. */
const LOOK_BACK = 60 * DAY;

interface OrdersDependencies {
  db: Knex;
  clock: Clock;
  log: Logger;
  audit: Audit;
  limits: Pick<RateLimiter, 'check'>;
  gateway: Gateway;
  settings: GatewaySettings;
  settling: Settling;
  /** A plan that can be bought now. */
  planOnSale(id: number): Promise<PlanView | null>;
  viewer(actor: Actor): Promise<UserView>;
}

/** Limits calls that lead to requests to the gateway, which has a rate limit of its own. */
const GATEWAY_CALLS: Limit = { name: 'payments.ask', tries: 60, seconds: 600 };

const unverified = () => new AppError(422, 'payment_unverified', UNVERIFIED);
const pending = () =>
  conflict(
    'Your bank has not confirmed the payment yet. The plan starts by itself as soon as it does; you need not pay again.',
    'payment_pending',
  );

const UNKNOWN_OUTCOME =
  'The payment gateway cannot be reached to see whether your earlier order was paid. If it was, the plan starts by itself, and you need not pay again. If not, please try again in a few minutes.';

/** The error shown to the customer when the gateway fails; `paid` if the customer may have been charged already. */
function gatewayError(error: GatewayFault, paid: boolean): AppError {
  if (error.kind !== 'down' && !paid) {
    const text = 'The payment gateway refused this order. Nothing was charged. Please contact support.';
    return new AppError(502, 'gateway_refused', text);
  }
  const message = paid
    ? 'The payment gateway cannot be reached to confirm your payment. It is not lost: we keep asking, and the plan starts by itself. Do not pay again.'
    : 'The payment gateway is not answering. Nothing was charged. Please try again in a few minutes.';
  return new AppError(503, paid ? 'payment_unconfirmed' : 'gateway_unreachable', message, {
    retryAfter: 60,
  });
}

/** Orders: created once, paid at most once, and checked at the gateway until their outcome is known. */
export function createOrders(dependencies: OrdersDependencies) {
  const { db, clock, log, audit, gateway, settings, settling } = dependencies;

  /** Logs a failure of the gateway and converts it to an error for the customer; returns other errors as they are. */
  function customerError(error: unknown, paid = false): unknown {
    if (!(error instanceof GatewayFault)) return error;
    log.error({ err: error }, 'the payment gateway failed');
    return gatewayError(error, paid);
  }

  /** Of an earlier order nobody knows now whether it was paid, so that another one could be a second payment. */
  function unknownOutcome(error: GatewayFault): AppError {
    log.error({ err: error }, 'the payment gateway failed');
    return new AppError(503, 'payment_unconfirmed', UNKNOWN_OUTCOME, { retryAfter: 60 });
  }

  const checkRateLimit = (actor: Actor) =>
    dependencies.limits.check({ limit: GATEWAY_CALLS, subject: String(actor.firmId) });
  const ordersOf = (firmId: number) => ordersOfMode(db, settings).where({ firm_id: firmId });

  async function settleAll(orders: readonly Order[], foundBy: FoundBy): Promise<Settled[]> {
    const settled: Settled[] = [];
    for (const order of orders) {
      try {
        settled.push(await settling.settle(order, foundBy));
      } catch (error) {
        // An order that the gateway does not know must not prevent the other orders from being checked.
        if (!(error instanceof GatewayFault && error.kind === 'refused')) throw error;
        log.error({ err: error, order: order.id }, 'the gateway would not tell about an order');
        // Such an order cannot be paid, so that the customer needs a new one.
        await order.$query(db).where({ status: 'open' }).patch({ status: 'abandoned' });
      }
    }
    return settled;
  }

  const orderKeyOf = (firmId: number, plan: PlanView, cycle: OrderRequest['billing_cycle']) => ({
    firm_id: firmId,
    plan_id: plan.id,
    billing_cycle: cycle,
    amount_paise: (cycle === 'yearly' ? plan.yearly_price : plan.monthly_price) * 100,
    key_id: settings.keyId,
  });

  /** The open order for this plan, so that nobody pays two orders; a new one if there is none. */
  async function reuseOrCreate(
    actor: Actor,
    plan: PlanView,
    cycle: OrderRequest['billing_cycle'],
  ): Promise<Order> {
    const orderKey = orderKeyOf(actor.firmId, plan, cycle);
    const planTerms = { plan_name: plan.name, storage_gb: plan.storage_gb, max_users: plan.max_users };
    const openOrders = (db: Knex) => Order.query(db).where({ ...orderKey, status: 'open' });
    // An order with outdated terms of the plan is not offered again; if it is paid nevertheless, it gives those terms.
    await openOrders(db)
      .whereNot((same) => same.where(planTerms))
      .patch({ status: 'abandoned' });
    let gatewayOrder: { id: string } | null = null;
    if (!(await openOrders(db).first())) {
      gatewayOrder = await gateway.createOrder(orderKey.amount_paise, randomUUID(), {
        firm: String(actor.firmId),
        plan: plan.name,
        billing_cycle: cycle,
      });
    }
    return db.transaction(async (trx) => {
      const now = clock();
      const nowIso = now.toISOString();
      const next_check_at = nextCheck(
        { status: 'open', offered_at: nowIso, paid_at: null },
        now,
      )!.toISOString();
      const existing = await openOrders(trx).first();
      if (existing) {
        return existing.$query(trx).patchAndFetch({ offered_at: nowIso, next_check_at });
      }
      // The order that was open before the transaction has been paid meanwhile.
      if (!gatewayOrder)
        throw conflict('A payment for this plan has just arrived. Reload the page.', 'already_paid');
      const order = await Order.query(trx).insertAndFetch({
        ...orderKey,
        ...planTerms,
        user_id: actor.userId,
        currency: 'INR',
        gateway_order_id: gatewayOrder.id,
        status: 'open',
        created_at: nowIso,
        offered_at: nowIso,
        paid_at: null,
        next_check_at,
        checks: 0,
      });
      await audit.record(trx, {
        actor,
        did: 'payments.order',
        subject: `order:${order.id}`,
        detail: { plan: plan.name, billing_cycle: cycle, amount_paise: orderKey.amount_paise },
      });
      return order;
    });
  }

  return {
    /** @throws {AppError} 403, 409 when an earlier payment has just turned up, 422, 503. */
    async order(actor: Actor, { plan_id, billing_cycle }: OrderRequest): Promise<OrderView> {
      if (!mayPay(actor)) throw forbidden();
      await checkRateLimit(actor);
      const plan = await dependencies.planOnSale(plan_id);
      if (!plan) throw invalid({ plan_id: ['This plan is not offered any more. Reload the page.'] });
      try {
        // A customer whose browser lost the answer to a payment orders again: look for that payment first.
        const open = await ordersOf(actor.firmId).where({ status: 'open' });
        const earlier = await settleAll(open, 'order').catch((error: unknown) => {
          throw error instanceof GatewayFault ? unknownOutcome(error) : error;
        });
        const earlierPayment = earlier.find(({ paid }) => paid)?.paid;
        if (earlierPayment) {
          throw conflict(
            `Your earlier payment for ${earlierPayment.order.plan_name} has arrived and the plan is active. You were not charged again.`,
            'already_paid',
          );
        }
        if (earlier.some((settled) => settled.pending)) throw pending();
        const order = await reuseOrCreate(actor, plan, billing_cycle);
        const { name, email, phone } = await dependencies.viewer(actor);
        return {
          razorpay_key: settings.keyId,
          amount: order.amount_paise / 100,
          currency: order.currency,
          order_id: order.gateway_order_id,
          subscription_id: order.id,
          plan: order.plan_name,
          user: { name, email, contact: phone },
        };
      } catch (error) {
        throw customerError(error);
      }
    },

    /**
     * The browser's claim that an order is paid: checked by the gateway's signature for this order, then at the gateway.
     * @throws {AppError} 404 for another firm's order, 409 while the bank has not confirmed, 422, 503.
     */
    async verify(actor: Actor, verification: Verification): Promise<void> {
      if (!mayPay(actor)) throw forbidden();
      const order = await ordersOf(actor.firmId).findById(verification.subscription_id);
      if (!order) throw notFound('order');
      // A signature by the secret of a replaced key cannot be checked any more. What counts is the answer of the gateway below.
      const signed =
        order.key_id !== settings.keyId ||
        isPaymentSignature(
          settings.keySecret,
          { orderId: order.gateway_order_id, paymentId: verification.razorpay_payment_id },
          verification.razorpay_signature,
        );
      if (!signed || verification.razorpay_order_id !== order.gateway_order_id) {
        await audit.recordAlone({ actor, did: 'payments.unverified', subject: `order:${order.id}` });
        throw unverified();
      }
      const settled = await settling.settle(order, 'browser').catch((error: unknown) => {
        throw customerError(error, true);
      });
      if (settled.pending) throw pending();
      const payment = await Payment.query(db).findOne({
        order_id: order.id,
        gateway_payment_id: verification.razorpay_payment_id,
      });
      if (!payment?.counted_at || payment.status === 'refunded') throw unverified();
    },

    /** Asks the gateway about one order, for a browser that lost the answer. @throws {AppError} 403, 404, 503. */
    async state(actor: Actor, id: number): Promise<OrderState> {
      if (!mayPay(actor)) throw forbidden();
      const order = await ordersOf(actor.firmId).findById(id);
      if (!order) throw notFound('order');
      if (order.status === 'paid') return { paid: true, pending: false };
      await checkRateLimit(actor);
      const settled = await settling.settle(order, 'check').catch((error: unknown) => {
        throw customerError(error, true);
      });
      return { paid: settled.order.status === 'paid', pending: settled.pending };
    },

    /** Asks the gateway about the firm's unpaid orders. @returns how many of them turned out to be paid. */
    async check(actor: Actor): Promise<{ found: number; pending: boolean }> {
      if (!mayPay(actor)) throw forbidden();
      await checkRateLimit(actor);
      const since = new Date(clock().getTime() - LOOK_BACK).toISOString();
      const unpaid = await ordersOf(actor.firmId)
        .whereNot({ status: 'paid' })
        .where('offered_at', '>=', since)
        .orderBy('offered_at', 'desc')
        .limit(20);
      const settled = await settleAll(unpaid, 'check').catch((error: unknown) => {
        throw customerError(error, true);
      });
      return {
        found: settled.filter(({ paid }) => paid).length,
        pending: settled.some(({ pending }) => pending),
      };
    },
  };
}
