import type { Knex } from 'knex';
import { Model } from 'objection';
import type { PaymentView } from './contract.ts';
import type { GatewayPayment } from './gateway.ts';
import type { GatewaySettings } from './settings.ts';

/** A firm's order of a plan, registered at the gateway. Amounts are integer paise, times ISO 8601. */
export class Order extends Model {
  static override tableName = 'orders';

  declare id: number;
  declare firm_id: number;
  declare user_id: number;
  declare plan_id: number;
  declare plan_name: string;
  declare storage_gb: number;
  declare max_users: number;
  declare billing_cycle: 'monthly' | 'yearly';
  declare amount_paise: number;
  declare currency: string;
  /** The API key it was created with. A key that replaces it in the same account of the gateway knows the order too. */
  declare key_id: string;
  declare gateway_order_id: string;
  /** `abandoned` means only that we stopped asking; a payment that turns up still counts. */
  declare status: 'open' | 'paid' | 'abandoned';
  declare created_at: string;
  /** When it was last offered to the customer for payment. */
  declare offered_at: string;
  declare paid_at: string | null;
  declare next_check_at: string | null;
  declare checks: number;

  /** Whether the payment is for this order, with its amount and currency. */
  isPaidBy(payment: GatewayPayment): boolean {
    return (
      payment.order_id === this.gateway_order_id &&
      payment.amount === this.amount_paise &&
      payment.currency === this.currency
    );
  }
}

/** The part of an API key's id that says whether it takes real money, such as `rzp_live_`; of an unknown form the whole id. */
const modeOf = (keyId: string): string => /^[a-z]+_(?:live|test)_/.exec(keyId)?.[0] ?? keyId;

/**
 * The orders that the gateway may know: those of test keys are unknown to live ones and the other way round. Keys are replaced while
 * customers pay, so other keys of the mode count as well; orders of another account are refused by the gateway.
 */
export const ordersOfMode = (db: Knex, { keyId }: Pick<GatewaySettings, 'keyId'>) =>
  Order.query(db).whereRaw('substr(key_id, 1, ?) = ?', [modeOf(keyId).length, modeOf(keyId)]);

export type PaymentStatus = 'created' | 'authorized' | 'captured' | 'failed' | 'refunded';
export type FoundBy = 'browser' | 'webhook' | 'poll' | 'order' | 'check' | 'operator';

/** A payment, or an attempt to pay, as the gateway reports it. */
export class Payment extends Model {
  static override tableName = 'payments';

  declare id: number;
  declare firm_id: number;
  declare order_id: number;
  declare gateway_payment_id: string;
  declare amount_paise: number;
  declare refunded_paise: number;
  declare currency: string;
  declare status: PaymentStatus;
  declare method: string;
  declare failure: string | null;
  /** `mismatch`: differs from the order in amount or currency. `surplus`: the order was paid already; it is refunded. */
  declare problem: 'mismatch' | 'surplus' | null;
  declare found_by: FoundBy;
  declare paid_at: string;
  declare recorded_at: string;
  /** When the firm got a period for it; null for a payment that gave none. */
  declare counted_at: string | null;
  /** Only where the query joins the order. */
  declare plan_name: string;
  declare billing_cycle: Order['billing_cycle'];

  /** The status shown to the firm. */
  get statusShown(): PaymentView['status'] {
    if (this.problem === 'surplus') return this.status === 'refunded' ? 'refunded' : 'being_returned';
    if (this.problem === 'mismatch') return this.status === 'refunded' ? 'refunded' : 'under_review';
    if (this.status === 'captured') return this.counted_at === null ? 'under_review' : 'paid';
    if (this.status === 'refunded' || this.status === 'failed') return this.status;
    return 'pending';
  }

  toView(invoice: PaymentView['invoice']): PaymentView {
    return {
      id: this.id,
      paid_at: this.paid_at,
      plan: this.plan_name,
      billing_cycle: this.billing_cycle,
      amount_paise: this.amount_paise,
      refunded_paise: this.refunded_paise,
      method: this.method,
      status: this.statusShown,
      failure: this.failure,
      invoice,
    };
  }
}

/** A webhook event of the gateway; repeated deliveries are stored once. */
export class GatewayEvent extends Model {
  static override tableName = 'gateway_events';
  static override idColumn = 'event_id';

  declare event_id: string;
  declare event: string;
  declare gateway_order_id: string | null;
  declare gateway_payment_id: string | null;
  declare received_at: string;
  /** Null until its job has ended. */
  declare outcome: string | null;
}
