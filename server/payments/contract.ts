import * as v from 'valibot';

export const UNVERIFIED = 'Payment verification failed. Please contact support if amount was deducted.';
export const ACTIVATED = 'Subscription activated successfully! Welcome to premium!';
export const NOT_SET_UP = 'Online payment is not set up on this server.';

/** What the browser gives back from checkout. */
export const verification = v.object({
  subscription_id: v.pipe(v.number(UNVERIFIED), v.safeInteger(UNVERIFIED)),
  razorpay_order_id: v.pipe(v.string(UNVERIFIED), v.maxLength(100, UNVERIFIED)),
  razorpay_payment_id: v.pipe(v.string(UNVERIFIED), v.maxLength(100, UNVERIFIED)),
  razorpay_signature: v.pipe(v.string(UNVERIFIED), v.maxLength(200, UNVERIFIED)),
});
export type Verification = v.InferOutput<typeof verification>;

/** An order ready to be paid. Anything else in the request, such as an amount, is not looked at. */
export const orderRequest = v.object({
  plan_id: v.pipe(v.number('Choose a plan'), v.safeInteger('Choose a plan')),
  billing_cycle: v.picklist(['monthly', 'yearly'], 'Choose monthly or yearly'),
});
export type OrderRequest = v.InferOutput<typeof orderRequest>;

export interface OrderView {
  razorpay_key: string;
  /** Whole rupees; the gateway wants a hundred times that. */
  amount: number;
  currency: string;
  order_id: string;
  /** Ours; the verification names it. */
  subscription_id: number;
  /** The plan's name. */
  plan: string;
  user: { name: string; email: string; contact: string };
}

/** What has become of an order. */
export interface OrderState {
  paid: boolean;
  /** A bank has promised the money. */
  pending: boolean;
}

/** One payment or attempt, as the firm sees it. */
export interface PaymentView {
  id: number;
  /** ISO 8601. */
  paid_at: string;
  plan: string;
  billing_cycle: 'monthly' | 'yearly';
  /** Integer paise. */
  amount_paise: number;
  refunded_paise: number;
  method: string;
  status: 'paid' | 'pending' | 'failed' | 'refunded' | 'being_returned' | 'under_review';
  /** Why it failed, in the gateway's words. */
  failure: string | null;
  invoice: { id: number; number: string; title: string } | null;
}
