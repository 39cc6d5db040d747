import type { Knex } from 'knex';
import type { GatewayPayment, GatewayRefund } from './gateway.ts';
import type { FoundBy, Order, PaymentStatus } from './model.ts';
import { Payment } from './model.ts';

/** Something at the gateway, with what was given back of it. */
export interface GatewaySnapshot {
  payment: GatewayPayment;
  refunds: readonly GatewayRefund[];
}

const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString();
/** A payment only ever moves to the right; what we are told late is not news. */
const COURSE: readonly PaymentStatus[] = ['created', 'failed', 'authorized', 'captured', 'refunded'];
const further = (a: PaymentStatus, b: PaymentStatus): PaymentStatus =>
  COURSE.indexOf(a) >= COURSE.indexOf(b) ? a : b;

function statusOf({ status, captured }: GatewayPayment): PaymentStatus {
  // An authorization that was never captured is also "refunded" in the end, yet no money had moved.
  return status === 'refunded' && !captured ? 'failed' : status;
}

/** Writes down what is known of a payment now. @returns the row after that. */
export async function recordPayment(
  trx: Knex.Transaction,
  { order, payment, foundBy, now }: { order: Order; payment: GatewayPayment; foundBy: FoundBy; now: string },
): Promise<Payment> {
  const before = await Payment.query(trx).findOne({ gateway_payment_id: payment.id });
  const seen = statusOf(payment);
  const facts = {
    status: before ? further(before.status, seen) : seen,
    refunded_paise: Math.max(
      before?.refunded_paise ?? 0,
      payment.captured ? (payment.amount_refunded ?? 0) : 0,
    ),
    method: payment.method ?? '',
    failure: seen === 'failed' ? (payment.error_description ?? null) : null,
  };
  if (before) {
    return before.$query(trx).patchAndFetch(facts);
  }
  return Payment.query(trx).insertAndFetch({
    ...facts,
    firm_id: order.firm_id,
    order_id: order.id,
    gateway_payment_id: payment.id,
    amount_paise: payment.amount,
    currency: payment.currency,
    problem: null,
    found_by: foundBy,
    paid_at: isoOf(payment.created_at),
    recorded_at: now,
    counted_at: null,
  });
}

export async function recordRefunds(
  trx: Knex.Transaction,
  paymentId: number,
  refunds: readonly GatewayRefund[],
  now: string,
): Promise<void> {
  for (const refund of refunds) {
    await trx('refunds')
      .insert({
        payment_id: paymentId,
        gateway_refund_id: refund.id,
        amount_paise: refund.amount,
        status: refund.status ?? 'processed',
        refunded_at: isoOf(refund.created_at),
        recorded_at: now,
      })
      .onConflict('gateway_refund_id')
      .merge(['status']);
  }
}
