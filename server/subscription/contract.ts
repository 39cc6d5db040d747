export interface PlanView {
  id: number;
  name: string;
  /** Whole rupees, GST included. */
  monthly_price: number;
  yearly_price: number;
  storage_gb: number;
  storage_formatted: string;
  max_users: number;
  is_popular: boolean;
  yearly_savings: number;
  yearly_savings_percentage: number;
  features: string[];
}

/** The current limits of a firm, from the free plan, the trial or a paid plan. */
export interface Limits {
  bytes: number;
  users: number;
}

export const FREE: Limits = { bytes: 1024 ** 3, users: 1 };
export const TRIAL: Limits = { bytes: 5 * 1024 ** 3, users: 3 };
export const TRIAL_DAYS = 14;
export type Cycle = 'monthly' | 'yearly';

/** Usage in percent, to one decimal, at most 100. */
export const percentOf = (used: number, allowed: number): number =>
  allowed <= 0 ? 100 : Math.min(100, Math.round((used / allowed) * 1000) / 10);

/** How near the storage is to its limit: `full` from 90 percent, `filling` from 75; null below. Rounding has no say in it. */
export const fullnessOf = (used: number, allowed: number): 'full' | 'filling' | null =>
  used * 100 >= allowed * 90 ? 'full' : used * 100 >= allowed * 75 ? 'filling' : null;

/** The response of `GET /api/subscription/current`. */
export interface SubscriptionStatus {
  is_trial: boolean;
  status: 'free' | 'trial' | 'active' | 'expired';
  /** ISO 8601, UTC; kept after the trial has ended. */
  trial_ends_at: string | null;
  user_limit: number;
  storage_details: {
    used_bytes: number;
    limit_bytes: number;
    used_formatted: string;
    limit_formatted: string;
    percentage: number;
  };
  /** The current paid plan; when expired, the last one. */
  subscription: {
    plan_id: number;
    plan_name: string;
    storage_gb: number;
    max_users: number;
    /** Rupees. */
    amount_paid: number;
    billing_cycle: Cycle;
    ends_at: string;
  } | null;
  badge: Badge;
}

export type BadgeColor = 'neutral' | 'accent' | 'success' | 'warning' | 'danger';

/** The plan badge in the top bar. */
export interface Badge {
  /** `Premium Plan`, `Trial Plan` or `Free Plan`. */
  plan: string;
  message: string;
  /** The suggested action; null when none is needed. */
  action: string | null;
  color: BadgeColor;
}

/** The presentation of the plan, the same on every screen. */
export interface PlanDisplay {
  badge: Badge;
  urgency: 'none' | 'medium' | 'high' | 'critical';
  /** Shown beside the plan's name on the storage screen. */
  state: 'Active' | 'Trial' | 'Expired' | 'Free Plan';
  title: string;
  storage: string;
  users: number;
  /** Whole days, rounded up, at least 0; null without an end. */
  days_left: number | null;
  ends_at: string | null;
  /** `₹9999 / yearly`; null when nothing was paid. */
  billing: string | null;
}

export const EXPIRY_WARNING_DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;

export const daysLeft = (endsAt: string, now: Date): number =>
  Math.max(0, Math.ceil((Date.parse(endsAt) - now.getTime()) / DAY_MS));

const days = (n: number) => `${n} ${n === 1 ? 'day' : 'days'}`;

/** `null`, an unknown status, is presented as free. */
export function displayOf(status: Omit<SubscriptionStatus, 'badge'> | null, now: Date): PlanDisplay {
  if (status?.is_trial && status.status === 'trial') return trialDisplay(status, now);
  const paid = status?.subscription;
  if (status && paid && (status.status === 'active' || status.status === 'expired')) {
    return paidDisplay(paid, status.status === 'active' ? daysLeft(paid.ends_at, now) : 0);
  }
  return {
    badge: { plan: 'Free Plan', message: 'Free Plan', action: 'Upgrade', color: 'neutral' },
    urgency: 'medium',
    state: 'Free Plan',
    title: 'Free Plan',
    storage: status?.storage_details.limit_formatted ?? '1 GB',
    users: status?.user_limit ?? FREE.users,
    days_left: null,
    ends_at: null,
    billing: null,
  };
}

function trialDisplay(status: Omit<SubscriptionStatus, 'badge'>, now: Date): PlanDisplay {
  // A page that was opened before the trial began must not show an extra day.
  const left = status.trial_ends_at === null ? 0 : Math.min(TRIAL_DAYS, daysLeft(status.trial_ends_at, now));
  const soon = left <= EXPIRY_WARNING_DAYS;
  const message = soon ? `Trial ends in ${days(left)}!` : `Trial: ${days(left)} left`;
  return {
    badge: { plan: 'Trial Plan', message, action: 'Upgrade Now', color: soon ? 'warning' : 'accent' },
    urgency: soon ? 'high' : 'medium',
    state: 'Trial',
    title: 'Free Trial',
    storage: status.storage_details.limit_formatted || '5 GB',
    users: status.user_limit || TRIAL.users,
    days_left: left,
    ends_at: status.trial_ends_at,
    billing: null,
  };
}

function paidDisplay(paid: NonNullable<SubscriptionStatus['subscription']>, left: number): PlanDisplay {
  const [message, action, color, urgency] =
    left === 0
      ? (['Premium Expired', 'Renew', 'danger', 'critical'] as const)
      : left <= EXPIRY_WARNING_DAYS
        ? ([`Expires in ${days(left)}`, 'Renew', 'warning', 'high'] as const)
        : (['Premium Active', null, 'success', 'none'] as const);
  return {
    badge: { plan: 'Premium Plan', message, action, color },
    urgency,
    state: left === 0 ? 'Expired' : 'Active',
    title: left === 0 ? `${paid.plan_name} (Expired)` : paid.plan_name,
    storage: `${paid.storage_gb} GB`,
    users: paid.max_users,
    days_left: left,
    ends_at: paid.ends_at,
    billing: `₹${paid.amount_paid} / ${paid.billing_cycle}`,
  };
}
