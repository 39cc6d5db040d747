import type { OrderView, Verification } from '#server/payments/contract.ts';
import * as t from '#messages/subscription.ts';

type Response = Omit<Verification, 'subscription_id'>;

interface RazorpayOptions {
  key: string;
  order_id: string;
  amount: number;
  currency: string;
  name: string;
  description: string;
  prefill: { name: string; email: string; contact: string };
  theme: { color: string };
  handler(response: Response): void;
  modal: { ondismiss(): void; escape: boolean; confirm_close: boolean };
}
interface RazorpayCheckout {
  open(): void;
  close?(): void;
  on(event: 'payment.failed', call: (failure: { error?: { description?: string } }) => void): void;
}
declare global {
  interface Window {
    Razorpay?: new (options: RazorpayOptions) => RazorpayCheckout;
  }
}

export type Outcome = { kind: 'paid'; response: Response } | { kind: 'dismissed' };

export interface Checkout {
  outcome: Promise<Outcome>;
  close(): void;
}

/** The theme colour of the checkout window. */
const BLUE = '#2355c5';

let loading: Promise<void> | undefined;

/** Loads the gateway's script once; after a failure the next call tries again. */
export function loadCheckout(url: string): Promise<void> {
  if (window.Razorpay) return Promise.resolve();
  loading ??= new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = url;
    script.addEventListener('load', () => (window.Razorpay ? resolve() : reject(new Error('no checkout'))));
    script.addEventListener('error', () => reject(new Error('not loaded')));
    document.head.append(script);
  }).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** Opens the gateway's window. `onFailed` is called for each failed attempt; the user can try again in the window. */
export function openCheckout(
  order: OrderView,
  { name, description }: { name: string; description: string },
  onFailed: (reason: string) => void,
): Checkout {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const checkout = new window.Razorpay!({
    key: order.razorpay_key,
    order_id: order.order_id,
    // In paise, only for display: the gateway charges the amount of the order.
    amount: Math.round(order.amount * 100),
    currency: order.currency,
    name,
    description,
    prefill: order.user,
    theme: { color: BLUE },
    handler: (response) => resolve({ kind: 'paid', response }),
    modal: { ondismiss: () => resolve({ kind: 'dismissed' }), escape: true, confirm_close: true },
  });
  checkout.on('payment.failed', ({ error }) => onFailed(error?.description ?? t.noReason));
  checkout.open();
  return { outcome: promise, close: () => checkout.close?.() };
}
