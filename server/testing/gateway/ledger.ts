import { randomBytes } from 'node:crypto';

/** As in the gateway's API. Amounts are integer paise, times are Unix seconds. */
export interface Order {
  id: string;
  entity: 'order';
  amount: number;
  amount_paid: number;
  amount_due: number;
  currency: string;
  receipt: string | null;
  status: 'created' | 'attempted' | 'paid';
  attempts: number;
  notes: Record<string, string> | [];
  created_at: number;
}
export interface Payment {
  id: string;
  entity: 'payment';
  amount: number;
  currency: string;
  status: 'authorized' | 'captured' | 'failed' | 'refunded';
  order_id: string | null;
  method: string;
  captured: boolean;
  amount_refunded: number;
  refund_status: null | 'partial' | 'full';
  email: string;
  contact: string;
  error_code: string | null;
  error_description: string | null;
  error_source: string | null;
  error_step: string | null;
  error_reason: string | null;
  notes: [];
  created_at: number;
}
export interface Refund {
  id: string;
  entity: 'refund';
  amount: number;
  currency: string;
  payment_id: string;
  status: 'processed';
  notes: [];
  created_at: number;
}
export type EmitEvent = (event: string, payload: Record<string, { entity: unknown }>) => void;

/** An error that the API reports with status 400. */
export class ApiError extends Error {
  override name = 'Refused';
  readonly field: string | undefined;
  constructor(description: string, field?: string) {
    super(description);
    this.field = field;
  }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const newId = (kind: string) =>
  `${kind}_${Array.from(randomBytes(14), (byte) => ALPHABET[byte % ALPHABET.length]).join('')}`;
const seconds = () => Math.floor(Date.now() / 1000);
const entities = (parts: Record<string, object>) =>
  Object.fromEntries(Object.entries(parts).map(([name, entity]) => [name, { entity: { ...entity } }]));

/** Orders, payment attempts, captures and refunds, under the gateway's rules. */
export class Ledger {
  readonly orders = new Map<string, Order>();
  readonly payments = new Map<string, Payment>();
  readonly refunds = new Map<string, Refund>();
  /** When false, a payment stays authorized until an API call captures it, as in accounts with manual capture. */
  autoCapture = true;
  private readonly emit: EmitEvent;

  constructor(emit: EmitEvent) {
    this.emit = emit;
  }

  createOrder({ amount, currency, receipt, notes }: Record<string, unknown>): Order {
    if (typeof amount !== 'number' || !Number.isInteger(amount))
      throw new ApiError('The amount must be an integer.', 'amount');
    if (amount < 100) throw new ApiError('Order amount less than minimum amount allowed', 'amount');
    if (currency !== 'INR') throw new ApiError('Currency is not supported', 'currency');
    if (typeof receipt === 'string' && receipt.length > 40)
      throw new ApiError('The receipt may not be greater than 40 characters.', 'receipt');
    const order: Order = {
      id: newId('order'),
      entity: 'order',
      amount,
      amount_paid: 0,
      amount_due: amount,
      currency,
      receipt: typeof receipt === 'string' ? receipt : null,
      status: 'created',
      attempts: 0,
      notes: (notes as Record<string, string>) ?? [],
      created_at: seconds(),
    };
    this.orders.set(order.id, order);
    return order;
  }

  /** A payment attempt by the customer. `change` makes it differ from the order. */
  pay(orderId: string, change: Partial<Payment> = {}): Payment {
    const payment = this.attempt(orderId, { status: 'authorized', ...change });
    this.emit('payment.authorized', entities({ payment }));
    if (this.autoCapture && payment.status === 'authorized') this.capture(payment.id, payment.amount);
    return payment;
  }

  fail(orderId: string, description = 'Your payment was declined by the bank.'): Payment {
    const payment = this.attempt(orderId, {
      status: 'failed',
      error_code: 'BAD_REQUEST_ERROR',
      error_description: description,
      error_source: 'bank',
      error_step: 'payment_authorization',
      error_reason: 'payment_failed',
    });
    this.emit('payment.failed', entities({ payment }));
    return payment;
  }

  /** Captures a payment. Only one payment per order can be captured. */
  capture(id: string, amount: number): Payment {
    const payment = this.payment(id);
    if (payment.captured) throw new ApiError('This payment has already been captured');
    if (payment.status !== 'authorized')
      throw new ApiError('Only payments which have been authorized and not yet captured can be captured');
    if (amount !== payment.amount)
      throw new ApiError('Capture amount must be equal to the amount authorized', 'amount');
    const order = payment.order_id === null ? undefined : this.orders.get(payment.order_id);
    if (order?.status === 'paid') throw new ApiError('Order already paid');
    this.markCaptured(payment, order);
    return payment;
  }

  /** Captures a second payment of a paid order, which the gateway promises never to do. */
  captureTwice(orderId: string): Payment {
    const payment = this.attempt(orderId, { status: 'authorized' });
    this.markCaptured(payment, undefined);
    return payment;
  }

  refund(paymentId: string, amount?: number): Refund {
    const payment = this.payment(paymentId);
    const refundable = payment.amount - payment.amount_refunded;
    if (payment.status === 'failed' || refundable === 0)
      throw new ApiError('The payment has been fully refunded already');
    const refunded = amount ?? refundable;
    if (!Number.isInteger(refunded) || refunded < 100 || refunded > refundable)
      throw new ApiError('The refund amount provided is greater than amount captured', 'amount');
    payment.amount_refunded += refunded;
    payment.refund_status = payment.amount_refunded === payment.amount ? 'full' : 'partial';
    if (payment.refund_status === 'full') payment.status = 'refunded';
    const refund: Refund = {
      id: newId('rfnd'),
      entity: 'refund',
      amount: refunded,
      currency: payment.currency,
      payment_id: payment.id,
      status: 'processed',
      notes: [],
      created_at: seconds(),
    };
    this.refunds.set(refund.id, refund);
    this.emit('refund.created', entities({ refund, payment }));
    this.emit('refund.processed', entities({ refund, payment }));
    return refund;
  }

  order(id: string): Order {
    const order = this.orders.get(id);
    if (!order) throw new ApiError('The id provided does not exist');
    return order;
  }

  payment(id: string): Payment {
    const payment = this.payments.get(id);
    if (!payment) throw new ApiError('The id provided does not exist');
    return payment;
  }

  paymentsOf = (orderId: string): Payment[] =>
    [...this.payments.values()].filter(({ order_id }) => order_id === orderId);
  refundsOf = (paymentId: string): Refund[] =>
    [...this.refunds.values()].filter(({ payment_id }) => payment_id === paymentId);

  /** Captured minus refunded amounts, in paise. */
  taken = (): number =>
    [...this.payments.values()]
      .filter(({ captured }) => captured)
      .reduce((sum, { amount, amount_refunded }) => sum + amount - amount_refunded, 0);

  private attempt(orderId: string, change: Partial<Payment>): Payment {
    const order = this.order(orderId);
    order.attempts += 1;
    if (order.status === 'created') order.status = 'attempted';
    const payment: Payment = {
      id: newId('pay'),
      entity: 'payment',
      amount: order.amount,
      currency: order.currency,
      status: 'authorized',
      order_id: order.id,
      method: 'upi',
      captured: false,
      amount_refunded: 0,
      refund_status: null,
      email: 'payer@example.in',
      contact: '+919876543210',
      error_code: null,
      error_description: null,
      error_source: null,
      error_step: null,
      error_reason: null,
      notes: [],
      created_at: seconds(),
      ...change,
    };
    this.payments.set(payment.id, payment);
    return payment;
  }

  private markCaptured(payment: Payment, order: Order | undefined): void {
    payment.captured = true;
    payment.status = 'captured';
    if (order) {
      order.status = 'paid';
      order.amount_paid = payment.amount;
      order.amount_due = order.amount - payment.amount;
    }
    this.emit('payment.captured', entities({ payment }));
    if (order) this.emit('order.paid', entities({ payment, order }));
  }
}
