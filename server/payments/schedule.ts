import type { Order } from './model.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A bank may confirm a payment days after it was started. */
const LATE_CONFIRMATIONS = 5 * DAY;
/** A payment can be refunded for half a year. */
const REFUNDS = 183 * DAY;

/** Longer than any pause below: a check scheduled further ahead was stored by a wrong clock. */
export const LONGEST_PAUSE = { open: 7 * HOUR, paid: 8 * DAY };

/**
 * When to check an order at the gateway again without a webhook; null for never. Often while the customer may be waiting
 * for the result; a paid order is checked for refunds only.
 */
export function nextCheck(order: Pick<Order, 'status' | 'offered_at' | 'paid_at'>, now: Date): Date | null {
  const after = (pause: number) => new Date(now.getTime() + pause);
  if (order.status === 'paid') {
    const age = now.getTime() - Date.parse(order.paid_at ?? order.offered_at);
    if (age >= REFUNDS) return null;
    return after(age < DAY ? 6 * HOUR : age < 14 * DAY ? DAY : 7 * DAY);
  }
  const age = now.getTime() - Date.parse(order.offered_at);
  if (age >= LATE_CONFIRMATIONS) return null;
  if (age < 20 * MINUTE) return after(MINUTE);
  if (age < 2 * HOUR) return after(5 * MINUTE);
  return after(age < DAY ? HOUR : 6 * HOUR);
}
