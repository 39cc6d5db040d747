import { lazily } from '#server/text/lazily.ts';
import type Razorpay from 'razorpay';
import * as v from 'valibot';
import type { GatewaySettings } from './settings.ts';

const TIMEOUT_MS = 10_000;
/** Bytes; an answer is a few kilobytes. */
const ANSWER_MAX = 2 * 1024 * 1024;

const paise = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const seconds = v.pipe(v.number(), v.safeInteger());
const order = v.object({ id: v.string(), amount: paise, currency: v.string() });
const payment = v.object({
  id: v.string(),
  order_id: v.nullable(v.string()),
  amount: paise,
  currency: v.string(),
  status: v.picklist(['created', 'authorized', 'captured', 'failed', 'refunded']),
  captured: v.optional(v.nullable(v.boolean()), false),
  method: v.optional(v.nullable(v.string()), ''),
  amount_refunded: v.optional(v.nullable(paise), 0),
  error_description: v.nullish(v.string()),
  created_at: seconds,
});
const refund = v.object({
  id: v.string(),
  amount: paise,
  status: v.optional(v.nullable(v.string()), 'processed'),
  created_at: seconds,
});
const listOf = <S extends v.GenericSchema>(item: S) => v.object({ items: v.array(item) });

type GatewayOrder = v.InferOutput<typeof order>;
/** Amounts in paise, times in Unix seconds. */
export type GatewayPayment = v.InferOutput<typeof payment>;
export type GatewayRefund = v.InferOutput<typeof refund>;

/**
 * `down`: whether the call took effect is unknown. `refused`: it did not, for the reason in the message. `denied`: it did not, since the
 * gateway does not accept the API key, which says nothing of an order.
 */
type FaultKind = 'down' | 'refused' | 'denied';

/** A failed call to the gateway. */
export class GatewayFault extends Error {
  override name = 'GatewayFault';
  readonly kind: FaultKind;
  constructor(kind: FaultKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** The client rejects with a plain object for an error response, and with a TypeError if there was no response. */
function faultOf(reason: unknown): GatewayFault {
  const { statusCode, error } = (reason ?? {}) as {
    statusCode?: unknown;
    error?: { code?: unknown; description?: unknown };
  };
  if (typeof statusCode !== 'number') return new GatewayFault('down', 'The payment gateway did not answer.');
  const description = typeof error?.description === 'string' ? error.description : `HTTP ${statusCode}`;
  const answered = statusCode >= 400 && statusCode < 500 && statusCode !== 429 && typeof error === 'object';
  const denied = statusCode === 401 || statusCode === 403;
  const kind = !answered ? 'down' : denied ? 'denied' : 'refused';
  return new GatewayFault(kind, `The payment gateway answered: ${description}`);
}

/**
 * Razorpay's API, as far as we use it. Every call ends within 10 s.
 * @throws {GatewayFault} from each of them, and nothing else.
 */
export function createGateway(settings: GatewaySettings) {
  // The library takes long to load, and a start should not wait for it.
  const client = lazily(async () => {
    const { default: Razorpay } = await import('razorpay');
    const razorpay = new Razorpay({ key_id: settings.keyId, key_secret: settings.keySecret });
    // The client has no options for these.
    Object.assign(
      (razorpay as unknown as { api: { rq: { defaults: Record<string, unknown> } } }).api.rq.defaults,
      { baseURL: settings.apiUrl, timeout: TIMEOUT_MS, maxContentLength: ANSWER_MAX, maxRedirects: 0 },
    );
    return razorpay;
  });

  async function call<S extends v.GenericSchema>(
    schema: S,
    request: (client: Razorpay) => Promise<unknown>,
  ): Promise<v.InferOutput<S>> {
    const timeout = Promise.withResolvers<never>();
    // The client's own timeout restarts with every byte received; this one limits the whole call.
    const timer = setTimeout(
      () => timeout.reject(new GatewayFault('down', 'The payment gateway took too long.')),
      TIMEOUT_MS,
    );
    let response: unknown;
    try {
      response = await Promise.race([client().then(request), timeout.promise]);
    } catch (reason) {
      throw reason instanceof GatewayFault ? reason : faultOf(reason);
    } finally {
      clearTimeout(timer);
    }
    const parsed = v.safeParse(schema, response);
    // A maintenance page with status 200, for example.
    if (!parsed.success) throw new GatewayFault('down', 'The payment gateway answered something unreadable.');
    return parsed.output;
  }

  return {
    /** `amount` in paise; `receipt` is our reference, at most 40 characters. */
    createOrder: (amount: number, receipt: string, notes: Record<string, string>): Promise<GatewayOrder> =>
      call(order, (gateway) => gateway.orders.create({ amount, currency: 'INR', receipt, notes })),

    /** Every attempt to pay the order, also those that failed. */
    paymentsOf: async (orderId: string): Promise<GatewayPayment[]> =>
      (await call(listOf(payment), (gateway) => gateway.orders.fetchPayments(orderId))).items,

    payment: (id: string): Promise<GatewayPayment> => call(payment, (gateway) => gateway.payments.fetch(id)),

    /** Collects the money of an authorized payment. */
    capture: (id: string, amount: number): Promise<GatewayPayment> =>
      call(payment, (gateway) => gateway.payments.capture(id, amount, 'INR')),

    /** Refunds a payment in full, less earlier refunds. */
    refund: (id: string): Promise<GatewayRefund> =>
      call(refund, (gateway) => gateway.payments.refund(id, { notes: {} })),

    refundsOf: async (paymentId: string): Promise<GatewayRefund[]> =>
      (await call(listOf(refund), (gateway) => gateway.payments.fetchMultipleRefund(paymentId, {}))).items,
  };
}
export type Gateway = ReturnType<typeof createGateway>;
