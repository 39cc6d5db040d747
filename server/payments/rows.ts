/** Rows as they lie in the tables. Amounts are integer paise, times ISO 8601. */
export interface OrderRow {
  id: number;
  firm_id: number;
  user_id: number;
  plan_id: number;
  plan_name: string;
  storage_gb: number;
  max_users: number;
  billing_cycle: 'monthly' | 'yearly';
  amount_paise: number;
  currency: string;
  /** The key it was made with: no other account of the gateway knows it. */
  key_id: string;
  gateway_order_id: string;
  /** `abandoned` means only that we stopped asking; a payment that turns up still counts. */
  status: 'open' | 'paid' | 'abandoned';
  created_at: string;
  /** When it was last put before the customer. */
  offered_at: string;
  paid_at: string | null;
  next_check_at: string | null;
  checks: number;
}

export type PaymentStatus = 'created' | 'authorized' | 'captured' | 'failed' | 'refunded';
export type FoundBy = 'browser' | 'webhook' | 'poll' | 'order' | 'check' | 'operator';

export interface PaymentRow {
  id: number;
  firm_id: number;
  order_id: number;
  gateway_payment_id: string;
  amount_paise: number;
  refunded_paise: number;
  currency: string;
  status: PaymentStatus;
  method: string;
  failure: string | null;
  /** `mismatch`: not what the order asks for. `surplus`: the order was paid already, so it goes back. */
  problem: 'mismatch' | 'surplus' | null;
  found_by: FoundBy;
  paid_at: string;
  recorded_at: string;
  /** When it bought the firm its period; null for every other payment. */
  counted_at: string | null;
}

export interface EventRow {
  event_id: string;
  event: string;
  gateway_order_id: string | null;
  gateway_payment_id: string | null;
  received_at: string;
  /** Null until its job has come to an end; that job says when it is tried again. */
  outcome: string | null;
}
