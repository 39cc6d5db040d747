import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Audit } from '#server/audit/service.ts';
import type { Clock } from '../clock.ts';
import type { Gateway } from './gateway.ts';
import { GatewayFault } from './gateway.ts';
import type { GatewaySnapshot } from './record.ts';
import { recordPayment, recordRefunds } from './record.ts';
import type { FoundBy } from './model.ts';
import { Order, Payment } from './model.ts';
import { nextCheck } from './schedule.ts';

/** A payment that has just counted. */
export interface Paid {
  order: Order;
  payment: Payment;
  /** The stretch of time that it bought. */
  starts_at: string;
  ends_at: string;
}

/** What the firm gets for a payment. */
export type NewPeriod = Pick<
  Order,
  'firm_id' | 'plan_id' | 'billing_cycle' | 'amount_paise' | 'storage_gb' | 'max_users'
> & { payment_id: number };

export interface SettlingParts {
  db: Knex;
  clock: Clock;
  log: Logger;
  audit: Audit;
  gateway: Gateway;
  /** Gives the firm what it paid for, in the transaction of the payment. */
  activate(trx: Knex.Transaction, bought: NewPeriod): Promise<{ starts_at: string; ends_at: string }>;
  /** Takes it back, when the money has gone back. */
  revoke(trx: Knex.Transaction, paymentId: number): Promise<void>;
  /** What else belongs to a payment, such as its invoice. All of it happens, or none of it. */
  onPaid(trx: Knex.Transaction, paid: Paid): Promise<void>;
}

export interface Settled {
  order: Order;
  /** Set only for the one call that made the payment count. */
  paid: Paid | null;
  /** A bank has promised the money and the gateway has not taken it yet. */
  pending: boolean;
}

/**
 * Brings our books up to what the gateway says about an order. Browser, webhook and poll all come here; whoever is
 * first makes the payment count, in one transaction, and for the others there is nothing left to do.
 */
export function createSettling(parts: SettlingParts) {
  const { db, clock, log, audit, gateway } = parts;

  async function look(order: Order): Promise<GatewaySnapshot[]> {
    let payments = await gateway.paymentsOf(order.gateway_order_id);
    if (order.status !== 'paid' && !payments.some(({ captured }) => captured)) {
      const promised = payments.find((one) => one.status === 'authorized' && order.isPaidBy(one));
      if (promised) {
        // Left alone it would go back to the customer after some days: whether it is taken by itself is a setting there.
        await gateway.capture(promised.id, promised.amount).catch((error: unknown) => {
          if (!(error instanceof GatewayFault && error.kind === 'refused')) throw error;
        });
        payments = await gateway.paymentsOf(order.gateway_order_id);
      }
    }
    return Promise.all(
      payments.map(async (payment) => ({
        payment,
        refunds: (payment.amount_refunded ?? 0) > 0 ? await gateway.refundsOf(payment.id) : [],
      })),
    );
  }

  async function count(trx: Knex.Transaction, order: Order, payment: Payment, now: string): Promise<Paid> {
    await payment.$query(trx).patch({ counted_at: now });
    await order.$query(trx).patch({ status: 'paid', paid_at: now });
    const period = await parts.activate(trx, { ...order, payment_id: payment.id });
    const paid = { order, payment, ...period };
    await audit.record(trx, {
      firmId: order.firm_id,
      userId: order.user_id,
      did: 'payments.paid',
      subject: `payment:${payment.id}`,
      detail: {
        plan: order.plan_name,
        billing_cycle: order.billing_cycle,
        amount_paise: payment.amount_paise,
        gateway_payment_id: payment.gateway_payment_id,
        found_by: payment.found_by,
        ends_at: period.ends_at,
      },
    });
    await parts.onPaid(trx, paid);
    return paid;
  }

  async function flag(
    trx: Knex.Transaction,
    payment: Payment,
    problem: 'mismatch' | 'surplus',
  ): Promise<void> {
    if (payment.problem === problem) return;
    await payment.$query(trx).patch({ problem });
    log.error({ payment: payment.gateway_payment_id, problem }, 'a payment that buys nothing');
    await audit.record(trx, {
      firmId: payment.firm_id,
      did: `payments.${problem}`,
      subject: `payment:${payment.id}`,
      detail: { amount_paise: payment.amount_paise, currency: payment.currency },
    });
  }

  /** A payment that counted and has gone back entirely takes its period with it. */
  async function goneBack(trx: Knex.Transaction, order: Order, payment: Payment): Promise<void> {
    await parts.revoke(trx, payment.id);
    await audit.record(trx, {
      firmId: order.firm_id,
      did: 'payments.refunded',
      subject: `payment:${payment.id}`,
      detail: { plan: order.plan_name, amount_paise: payment.refunded_paise },
    });
  }

  async function record(orderId: number, found: readonly GatewaySnapshot[], foundBy: FoundBy) {
    return db.transaction(async (trx) => {
      const now = clock();
      const at = now.toISOString();
      const order = await Order.query(trx).findById(orderId).throwIfNotFound();
      let paid: Paid | null = null;
      const surplus: string[] = [];
      for (const { payment: seen, refunds } of found) {
        const earlier = await Payment.query(trx).findOne({ gateway_payment_id: seen.id }).select('status');
        const payment = await recordPayment(trx, { order, payment: seen, foundBy, now: at });
        await recordRefunds(trx, payment.id, refunds, at);
        const taken = seen.captured === true && payment.refunded_paise === 0;
        if (payment.counted_at !== null) {
          const left = payment.amount_paise - payment.refunded_paise;
          if (left <= 0 && earlier?.status !== 'refunded') await goneBack(trx, order, payment);
        } else if (taken && !order.isPaidBy(seen)) {
          await flag(trx, payment, 'mismatch');
        } else if (taken && order.status === 'paid') {
          await flag(trx, payment, 'surplus');
          surplus.push(seen.id);
        } else if (taken) {
          paid = await count(trx, order, payment, at);
        }
      }
      const next = nextCheck(order, now);
      await order.$query(trx).patch({
        checks: order.checks + 1,
        next_check_at: next?.toISOString() ?? null,
        ...(next === null && order.status === 'open' && { status: 'abandoned' }),
      });
      return { order, paid, surplus };
    });
  }

  /** Money that was taken twice goes back at once. A second try finds nothing left to give back. */
  async function giveBack(order: Order, paymentId: string): Promise<void> {
    try {
      await gateway.refund(paymentId);
      log.warn({ payment: paymentId }, 'gave back a second payment for one order');
    } catch (error) {
      if (!(error instanceof GatewayFault)) throw error;
      log.error({ err: error, payment: paymentId }, 'a second payment could not be given back yet');
      await order.$query(db).patch({ next_check_at: clock().toISOString() });
    }
  }

  return {
    /** @throws {GatewayFault} when the gateway can't be asked; nothing has changed then. */
    async settle(order: Order, foundBy: FoundBy): Promise<Settled> {
      const found = await look(order);
      const { surplus, ...settled } = await record(order.id, found, foundBy);
      for (const paymentId of surplus) await giveBack(settled.order, paymentId);
      const pending =
        settled.order.status !== 'paid' && found.some((one) => one.payment.status === 'authorized');
      return { ...settled, pending };
    },
  };
}
export type Settling = ReturnType<typeof createSettling>;
