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
import { Order, Payment } from './model.ts';
import { nextCheck } from './schedule.ts';
import type { GatewaySettings } from './settings.ts';
import type { Settled, Settling } from './settle.ts';
import { isPaymentSignature } from './signatures.ts';

const DAY = 24 * 60 * 60_000;
/** How far back "I have paid, check again" looks. */
const LOOK_BACK = 60 * DAY;

export interface OrdersParts {
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

/** Each of these asks the gateway, which has limits of its own. */
const ASKING: Limit = { name: 'payments.ask', tries: 60, seconds: 600 };

const unverified = () => new AppError(422, 'payment_unverified', UNVERIFIED);
const pending = () =>
  conflict(
    'Your bank has not confirmed the payment yet. The plan starts by itself as soon as it does; you need not pay again.',
    'payment_pending',
  );

/** What the customer reads when the gateway is the trouble; `paid` when money may have moved already. */
function explained(error: GatewayFault, paid: boolean): AppError {
  if (error.kind === 'refused' && !paid) {
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

/** Orders: made once, paid once, looked at until it is known what became of them. */
export function createOrders(parts: OrdersParts) {
  const { db, clock, log, audit, gateway, settings, settling } = parts;

  function explain(error: unknown, paid = false): unknown {
    if (!(error instanceof GatewayFault)) return error;
    log.error({ err: error }, 'the payment gateway failed');
    return explained(error, paid);
  }

  const ask = (actor: Actor) => parts.limits.check({ limit: ASKING, subject: String(actor.firmId) });
  const own = (firmId: number) => Order.query(db).where({ firm_id: firmId, key_id: settings.keyId });

  async function settleAll(orders: readonly Order[], by: FoundBy): Promise<Settled[]> {
    const settled: Settled[] = [];
    for (const order of orders) {
      try {
        settled.push(await settling.settle(order, by));
      } catch (error) {
        // An order that the gateway does not know must not keep the others from being asked about.
        if (!(error instanceof GatewayFault && error.kind === 'refused')) throw error;
        log.error({ err: error, order: order.id }, 'the gateway would not tell about an order');
        // Nobody can pay what the gateway does not know: a new order takes its place.
        await order.$query(db).where({ status: 'open' }).patch({ status: 'abandoned' });
      }
    }
    return settled;
  }

  const wantedBy = (firmId: number, plan: PlanView, cycle: OrderRequest['billing_cycle']) => ({
    firm_id: firmId,
    plan_id: plan.id,
    billing_cycle: cycle,
    amount_paise: (cycle === 'yearly' ? plan.yearly_price : plan.monthly_price) * 100,
    key_id: settings.keyId,
  });

  async function open(actor: Actor, plan: PlanView, cycle: OrderRequest['billing_cycle']): Promise<Order> {
    const wanted = wantedBy(actor.firmId, plan, cycle);
    const sameOffer = { plan_name: plan.name, storage_gb: plan.storage_gb, max_users: plan.max_users };
    const present = (db: Knex) => Order.query(db).where({ ...wanted, status: 'open' });
    // An order says what is bought; one that says something else is left to whoever may still pay it.
    await present(db).whereNot(sameOffer).patch({ status: 'abandoned' });
    let made: { id: string } | null = null;
    if (!(await present(db).first())) {
      made = await gateway.createOrder(wanted.amount_paise, randomUUID(), {
        firm: String(actor.firmId),
        plan: plan.name,
        billing_cycle: cycle,
      });
    }
    return db.transaction(async (trx) => {
      const now = clock();
      const at = now.toISOString();
      const next_check_at = nextCheck({ status: 'open', offered_at: at, paid_at: null }, now)!.toISOString();
      const other = await present(trx).first();
      if (other) {
        return other.$query(trx).patchAndFetch({ offered_at: at, next_check_at });
      }
      // The one that was open when we looked has been paid meanwhile.
      if (!made) throw conflict('A payment for this plan has just arrived. Reload the page.', 'already_paid');
      const order = await Order.query(trx).insertAndFetch({
        ...wanted,
        ...sameOffer,
        user_id: actor.userId,
        currency: 'INR',
        gateway_order_id: made.id,
        status: 'open',
        created_at: at,
        offered_at: at,
        paid_at: null,
        next_check_at,
        checks: 0,
      });
      await audit.record(trx, {
        actor,
        did: 'payments.order',
        subject: `order:${order.id}`,
        detail: { plan: plan.name, billing_cycle: cycle, amount_paise: wanted.amount_paise },
      });
      return order;
    });
  }

  return {
    /** @throws {AppError} 403, 409 when an earlier payment has just turned up, 422, 503. */
    async order(actor: Actor, { plan_id, billing_cycle }: OrderRequest): Promise<OrderView> {
      if (!mayPay(actor)) throw forbidden();
      await ask(actor);
      const plan = await parts.planOnSale(plan_id);
      if (!plan) throw invalid({ plan_id: ['This plan is not offered any more. Reload the page.'] });
      try {
        // Whoever paid and lost the answer presses the button again: find that payment before asking for another.
        const earlier = await settleAll(await own(actor.firmId).where({ status: 'open' }), 'order');
        const found = earlier.find(({ paid }) => paid)?.paid;
        if (found) {
          throw conflict(
            `Your earlier payment for ${found.order.plan_name} has arrived and the plan is active. You were not charged again.`,
            'already_paid',
          );
        }
        if (earlier.some((one) => one.pending)) throw pending();
        const order = await open(actor, plan, billing_cycle);
        const { name, email, phone } = await parts.viewer(actor);
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
        throw explain(error);
      }
    },

    /**
     * The browser's word that an order is paid: believed only when signed for this order, and then looked up.
     * @throws {AppError} 404 for another firm's order, 409 while the bank has not confirmed, 422, 503.
     */
    async verify(actor: Actor, given: Verification): Promise<void> {
      if (!mayPay(actor)) throw forbidden();
      const order = await own(actor.firmId).findById(given.subscription_id);
      if (!order) throw notFound('order');
      const signed = isPaymentSignature(
        settings.keySecret,
        { orderId: order.gateway_order_id, paymentId: given.razorpay_payment_id },
        given.razorpay_signature,
      );
      if (!signed || given.razorpay_order_id !== order.gateway_order_id) {
        await audit.recordAlone({ actor, did: 'payments.unverified', subject: `order:${order.id}` });
        throw unverified();
      }
      const settled = await settling.settle(order, 'browser').catch((error: unknown) => {
        throw explain(error, true);
      });
      if (settled.pending) throw pending();
      const counted = await Payment.query(db).findOne({
        order_id: order.id,
        gateway_payment_id: given.razorpay_payment_id,
      });
      if (!counted?.counted_at || counted.status === 'refunded') throw unverified();
    },

    /** Asks the gateway about one order, for a browser that lost the answer. @throws {AppError} 403, 404, 503. */
    async state(actor: Actor, id: number): Promise<OrderState> {
      if (!mayPay(actor)) throw forbidden();
      const order = await own(actor.firmId).findById(id);
      if (!order) throw notFound('order');
      if (order.status === 'paid') return { paid: true, pending: false };
      await ask(actor);
      const settled = await settling.settle(order, 'check').catch((error: unknown) => {
        throw explain(error, true);
      });
      return { paid: settled.order.status === 'paid', pending: settled.pending };
    },

    /** Asks the gateway about everything the firm has begun to pay. @returns how many payments turned up. */
    async check(actor: Actor): Promise<{ found: number; pending: boolean }> {
      if (!mayPay(actor)) throw forbidden();
      await ask(actor);
      const since = new Date(clock().getTime() - LOOK_BACK).toISOString();
      const unpaid = await own(actor.firmId)
        .whereNot({ status: 'paid' })
        .where('offered_at', '>=', since)
        .orderBy('offered_at', 'desc')
        .limit(20);
      const settled = await settleAll(unpaid, 'check').catch((error: unknown) => {
        throw explain(error, true);
      });
      return {
        found: settled.filter(({ paid }) => paid).length,
        pending: settled.some((one) => one.pending),
      };
    },
  };
}
