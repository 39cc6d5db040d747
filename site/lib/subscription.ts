import type { BadgeTone } from '../components/Badge.tsx';

/** What GET /api/subscription/current says about the firm. Times are ISO 8601. */
export interface SubscriptionStatus {
  is_trial: boolean;
  status: string | null;
  trial_ends_at: string | null;
  subscription: { ends_at: string | null } | null;
}

export interface SubscriptionLabel {
  text: string;
  action: 'Upgrade' | 'Upgrade Now' | 'Renew' | null;
  urgency: 'none' | 'medium' | 'high' | 'critical';
}

const DAY = 86_400_000;

/** Whole days to `ends`, rounded up, never below 0. */
export const daysLeft = (ends: string | null, now = Date.now()): number =>
  Math.max(0, Math.ceil((Date.parse(ends ?? '') - now) / DAY) || 0);

const days = (count: number) => `${count} ${count === 1 ? 'day' : 'days'}`;

/** The badge's words for a status, as of `now` (milliseconds). */
export function subscriptionLabel(current: SubscriptionStatus | null, now = Date.now()): SubscriptionLabel {
  if (current?.is_trial && current.status === 'trial') {
    const left = daysLeft(current.trial_ends_at, now);
    if (left > 7) return { text: `Trial: ${days(left)} left`, action: 'Upgrade Now', urgency: 'medium' };
    return { text: `Trial ends in ${days(left)}!`, action: 'Upgrade Now', urgency: 'high' };
  }
  if (current?.subscription && current.status === 'active') {
    const left = daysLeft(current.subscription.ends_at, now);
    if (left > 7) return { text: 'Premium Active', action: null, urgency: 'none' };
    if (left > 0) return { text: `Expires in ${days(left)}`, action: 'Renew', urgency: 'high' };
  }
  if (current?.status === 'expired' || (current?.subscription && current.status === 'active')) {
    return { text: 'Premium Expired', action: 'Renew', urgency: 'critical' };
  }
  return { text: 'Free Plan', action: 'Upgrade', urgency: 'medium' };
}

export const TONES: Record<SubscriptionLabel['urgency'], BadgeTone> = {
  none: 'success',
  medium: 'neutral',
  high: 'warning',
  critical: 'danger',
};
