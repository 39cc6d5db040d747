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

/** A payment that has just paid its order. */
export interface Paid {
  order: Order;
  payment: Payment;
  /** The period that it paid for. */
  starts_at: string;
  ends_at: string;
}

/** What the firm gets for a payment. */
type NewPeriod = Pick<
  Order,
  'firm_id' | 'plan_id' | 'billing_cycle' | 'amount_paise' | 'storage_gb' | 'max_users'
> & { payment_id: number };

export interface SettlingDependencies {
  db: Knex;
  clock: Clock;
  log: Logger;
  audit: Audit;
  gateway: Gateway;
  /** Gives the firm what it paid for, in the transaction of the payment. */
  activate(trx: Knex.Transaction, period: NewPeriod): Promise<{ starts_at: string; ends_at: string }>;
  /** Revokes that period after a full refund. */
  revoke(trx: Knex.Transaction, paymentId: number): Promise<void>;
  /** What else belongs to a payment, such as its invoice, in the same transaction. */
  onPaid(trx: Knex.Transaction, paid: Paid): Promise<void>;
}

export interface Settled {
  order: Order;
  /** Set only for the one call that recorded the order as paid. */
  paid: Paid | null;
  /** The bank has authorized the payment, which the gateway has not captured yet. */
  pending: boolean;
}

/**
 * Records what the gateway says about an order. Browser, webhook and poll all call this; the first one activates the plan,
 * in the transaction that records the payment, and the later ones change nothing.
 */
export function createSettling(dependencies: SettlingDependencies) {
  const { db, clock, log, audit, gateway } = dependencies;

  /** The order's payments and refunds at the gateway. Captures an authorized payment first. */
  async function fetchPayments(order: Order): Promise<GatewaySnapshot[]> {
    let payments = await gateway.paymentsOf(order.gateway_order_id);
    if (order.status !== 'paid' && !payments.some(({ captured }) => captured)) {
      const authorized = payments.find(
        (payment) => payment.status === 'authorized' && order.isPaidBy(payment),
      );
      if (authorized) {
        // Without automatic capture, a setting of the gateway account, it would go back to the customer after some days.
        await gateway.capture(authorized.id, authorized.amount).catch((error: unknown) => {
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

  async function completeOrder(
    trx: Knex.Transaction,
    order: Order,
    payment: Payment,
    now: string,
  ): Promise<Paid> {
    await payment.$query(trx).patch({ counted_at: now });
    await order.$query(trx).patch({ status: 'paid', paid_at: now });
    const period = await dependencies.activate(trx, { ...order, payment_id: payment.id });
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
    await dependencies.onPaid(trx, paid);
    return paid;
  }

  /** Marks a captured payment that does not pay its order, for the operator to see. */
  async function flagProblem(
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

  /** Revokes the period of a payment that was refunded in full. */
  async function revokeRefunded(trx: Knex.Transaction, order: Order, payment: Payment): Promise<void> {
    await dependencies.revoke(trx, payment.id);
    await audit.record(trx, {
      firmId: order.firm_id,
      did: 'payments.refunded',
      subject: `payment:${payment.id}`,
      detail: { plan: order.plan_name, amount_paise: payment.refunded_paise },
    });
  }

  async function recordSnapshots(orderId: number, snapshots: readonly GatewaySnapshot[], foundBy: FoundBy) {
    return db.transaction(async (trx) => {
      const now = clock();
      const nowIso = now.toISOString();
      const order = await Order.query(trx).findById(orderId).throwIfNotFound();
      let paid: Paid | null = null;
      const surplus: string[] = [];
      for (const { payment: gatewayPayment, refunds } of snapshots) {
        const previous = await Payment.query(trx)
          .findOne({ gateway_payment_id: gatewayPayment.id })
          .select('status');
        const payment = await recordPayment(trx, { order, payment: gatewayPayment, foundBy, now: nowIso });
        await recordRefunds(trx, payment.id, refunds, nowIso);
        const received = gatewayPayment.captured === true && payment.refunded_paise === 0;
        if (payment.counted_at !== null) {
          const remaining = payment.amount_paise - payment.refunded_paise;
          if (remaining <= 0 && previous?.status !== 'refunded') await revokeRefunded(trx, order, payment);
        } else if (received && !order.isPaidBy(gatewayPayment)) {
          await flagProblem(trx, payment, 'mismatch');
        } else if (received && order.status === 'paid') {
          await flagProblem(trx, payment, 'surplus');
          surplus.push(gatewayPayment.id);
        } else if (received) {
          paid = await completeOrder(trx, order, payment, nowIso);
        }
      }
      const nextCheckAt = nextCheck(order, now);
      await order.$query(trx).patch({
        checks: order.checks + 1,
        next_check_at: nextCheckAt?.toISOString() ?? null,
        ...(nextCheckAt === null && order.status === 'open' && { status: 'abandoned' }),
      });
      return { order, paid, surplus };
    });
  }

  /** Refunds a second payment for an order at once. Safe to repeat: then nothing is left to refund. */
  async function refundSurplus(order: Order, paymentId: string): Promise<void> {
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
    /** @throws {GatewayFault} when the gateway fails; nothing is changed then. */
    async settle(order: Order, foundBy: FoundBy): Promise<Settled> {
      const snapshots = await fetchPayments(order);
      const { surplus, ...settled } = await recordSnapshots(order.id, snapshots, foundBy);
      for (const paymentId of surplus) await refundSurplus(settled.order, paymentId);
      const pending =
        settled.order.status !== 'paid' && snapshots.some(({ payment }) => payment.status === 'authorized');
      return { ...settled, pending };
    },
  };
}
export type Settling = ReturnType<typeof createSettling>;
