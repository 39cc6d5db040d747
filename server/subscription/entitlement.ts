import type { Cycle, Limits } from './contract.ts';
import { FREE, TRIAL } from './contract.ts';

/** A paid period. */
export interface Period {
  plan_id: number;
  plan_name: string;
  storage_gb: number;
  max_users: number;
  amount_paise: number;
  billing_cycle: Cycle;
  starts_at: string;
  ends_at: string;
}

/** The trial and the paid periods of a firm. */
export interface History {
  trial_ends_at: string | null;
  /** In the order in which they were added. */
  periods: readonly Period[];
}

/** The entitlement of a firm at one moment. `period` is the paid period behind the limits, or the last expired one. */
export interface Entitlement {
  status: 'free' | 'trial' | 'active' | 'expired';
  limits: Limits;
  trial_ends_at: string | null;
  /** `ends_at` includes renewals that are already paid. */
  period: Period | null;
}

const GIB = 1024 ** 3;

/** A paid plan takes precedence over a trial; after both, the firm is on Free. ISO dates in UTC compare as text. */
export function entitlementOf({ trial_ends_at, periods }: History, now: string): Entitlement {
  // Periods that versions before 2026-11-28 added may overlap: the last one bought is what the firm wants.
  const running = periods.findLast(({ starts_at, ends_at }) => starts_at <= now && now < ends_at);
  if (running) {
    const limits = { bytes: running.storage_gb * GIB, users: running.max_users };
    return {
      status: 'active',
      limits,
      trial_ends_at,
      period: { ...running, ends_at: endOf(running, periods) },
    };
  }
  if (trial_ends_at !== null && now < trial_ends_at) {
    return { status: 'trial', limits: TRIAL, trial_ends_at, period: null };
  }
  const last = periods
    .filter(({ ends_at }) => ends_at <= now)
    .reduce<Period | null>((late, period) => (late && late.ends_at > period.ends_at ? late : period), null);
  return { status: last ? 'expired' : 'free', limits: FREE, trial_ends_at, period: last };
}

function endOf({ plan_id, ends_at }: Period, periods: readonly Period[]): string {
  let end = ends_at;
  for (const next of periods.toSorted((a, b) => (a.starts_at < b.starts_at ? -1 : 1))) {
    if (next.plan_id === plan_id && next.starts_at <= end && next.ends_at > end) end = next.ends_at;
  }
  return end;
}
