import type { Order } from './model.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Banks may answer for days after a payment was begun. */
const LATE_ANSWERS = 5 * DAY;
/** Money can be given back for half a year. */
const REFUNDS = 183 * DAY;

/** Longer than any pause below; what lies further ahead was written by a clock that was wrong. */
export const LONGEST_PAUSE = { open: 7 * HOUR, paid: 8 * DAY };

/**
 * When to ask the gateway about an order again, if nobody tells us anything; null for never. Often while somebody may
 * be looking at the screen, and for paid ones as often as refunds matter.
 */
export function nextCheck(order: Pick<Order, 'status' | 'offered_at' | 'paid_at'>, now: Date): Date | null {
  const after = (pause: number) => new Date(now.getTime() + pause);
  if (order.status === 'paid') {
    const age = now.getTime() - Date.parse(order.paid_at ?? order.offered_at);
    if (age >= REFUNDS) return null;
    return after(age < DAY ? 6 * HOUR : age < 14 * DAY ? DAY : 7 * DAY);
  }
  const age = now.getTime() - Date.parse(order.offered_at);
  if (age >= LATE_ANSWERS) return null;
  if (age < 20 * MINUTE) return after(MINUTE);
  if (age < 2 * HOUR) return after(5 * MINUTE);
  return after(age < DAY ? HOUR : 6 * HOUR);
}
