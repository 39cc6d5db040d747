import type { Knex } from 'knex';
import type { GatewayPayment, GatewayRefund } from './gateway.ts';
import type { FoundBy, Order, PaymentStatus } from './model.ts';
import { Payment } from './model.ts';

/** A payment and its refunds, as the gateway reports them now. */
export interface GatewaySnapshot {
  payment: GatewayPayment;
  refunds: readonly GatewayRefund[];
}

const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString();
/** A payment's status only moves to the right: reports that arrive late or out of order do not move it back. */
const STATUS_ORDER: readonly PaymentStatus[] = ['created', 'failed', 'authorized', 'captured', 'refunded'];
const laterStatus = (a: PaymentStatus, b: PaymentStatus): PaymentStatus =>
  STATUS_ORDER.indexOf(a) >= STATUS_ORDER.indexOf(b) ? a : b;

function statusOf({ status, captured }: GatewayPayment): PaymentStatus {
  // The gateway also reports an expired authorization as "refunded", although no money was moved.
  return status === 'refunded' && !captured ? 'failed' : status;
}

/** Inserts or updates the row of a payment. @returns the row. */
export async function recordPayment(
  trx: Knex.Transaction,
  { order, payment, foundBy, now }: { order: Order; payment: GatewayPayment; foundBy: FoundBy; now: string },
): Promise<Payment> {
  const existing = await Payment.query(trx).findOne({ gateway_payment_id: payment.id });
  const status = statusOf(payment);
  const reported = {
    status: existing ? laterStatus(existing.status, status) : status,
    refunded_paise: Math.max(
      existing?.refunded_paise ?? 0,
      payment.captured ? (payment.amount_refunded ?? 0) : 0,
    ),
    method: payment.method ?? '',
    failure: status === 'failed' ? (payment.error_description ?? null) : null,
  };
  if (existing) {
    return existing.$query(trx).patchAndFetch(reported);
  }
  return Payment.query(trx).insertAndFetch({
    ...reported,
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
