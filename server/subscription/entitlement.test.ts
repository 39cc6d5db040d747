import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SubscriptionStatus } from './contract.ts';
import { FREE, TRIAL, displayOf, percentOf } from './contract.ts';
import type { Period } from './entitlement.ts';
import { entitlementOf } from './entitlement.ts';

const NOW = '2026-11-20T10:00:00.000Z';
const at = (days: number) => new Date(Date.parse(NOW) + days * 86_400_000).toISOString();
const period = (from: number, to: number, more: Partial<Period> = {}): Period => ({
  plan_id: 1,
  plan_name: 'Starter',
  storage_gb: 25,
  max_users: 1,
  amount_paise: 99_900,
  billing_cycle: 'monthly',
  starts_at: at(from),
  ends_at: at(to),
  ...more,
});

test('nothing bought and nothing tried is free', () => {
  const { status, limits } = entitlementOf({ trial_ends_at: null, periods: [] }, NOW);
  assert.equal([status, limits], ['free', FREE]);
});

test('a trial counts to its last moment, and leaves the firm on free', () => {
  assert.equal(entitlementOf({ trial_ends_at: at(1), periods: [] }, NOW).limits, TRIAL);
  assert.is(entitlementOf({ trial_ends_at: NOW, periods: [] }, NOW).status, 'free');
});

test('a plan comes before a trial, and ends as expired on free limits', () => {
  const running = entitlementOf({ trial_ends_at: at(5), periods: [period(-1, 29)] }, NOW);
  assert.equal([running.status, running.limits.bytes], ['active', 25 * 1024 ** 3]);
  const over = entitlementOf({ trial_ends_at: null, periods: [period(-30, 0)] }, NOW);
  assert.equal([over.status, over.limits, over.period?.plan_name], ['expired', FREE, 'Starter']);
});

test('a renewal already paid counts into the end, another plan takes over at once', () => {
  const renewed = entitlementOf({ trial_ends_at: null, periods: [period(30, 60), period(-1, 30)] }, NOW);
  assert.is(renewed.period?.ends_at, at(60));
  const larger = period(0, 30, { plan_id: 2, storage_gb: 100 });
  const changed = entitlementOf({ trial_ends_at: null, periods: [period(-10, 20), larger] }, NOW);
  assert.equal([changed.limits.bytes, changed.period?.ends_at], [100 * 1024 ** 3, at(30)]);
});

const status = (more: Partial<SubscriptionStatus>): Omit<SubscriptionStatus, 'badge'> => ({
  is_trial: false,
  status: 'free',
  trial_ends_at: null,
  user_limit: 1,
  storage_details: {
    used_bytes: 0,
    limit_bytes: 0,
    used_formatted: '0 B',
    limit_formatted: '1 GB',
    percentage: 0,
  },
  subscription: null,
  ...more,
});
const paid = (days: number) => ({
  plan_id: 1,
  plan_name: 'Starter',
  storage_gb: 25,
  max_users: 1,
  amount_paid: 9999,
  billing_cycle: 'yearly' as const,
  ends_at: at(days),
});
const shown = (of: Omit<SubscriptionStatus, 'badge'> | null) => {
  const { badge, urgency } = displayOf(of, new Date(NOW));
  return [badge.message, badge.action, urgency];
};

test('the words are those of the specification, day by day', () => {
  assert.equal(shown(null), ['Free Plan', 'Upgrade', 'medium']);
  const trial = (days: number) => status({ is_trial: true, status: 'trial', trial_ends_at: at(days) });
  assert.equal(shown(trial(14)), ['Trial: 14 days left', 'Upgrade Now', 'medium']);
  assert.equal(shown(trial(7.5)), ['Trial: 8 days left', 'Upgrade Now', 'medium']);
  assert.equal(shown(trial(7)), ['Trial ends in 7 days!', 'Upgrade Now', 'high']);
  const active = (days: number) => status({ status: 'active', subscription: paid(days) });
  assert.equal(shown(active(8)), ['Premium Active', null, 'none']);
  assert.equal(shown(active(7)), ['Expires in 7 days', 'Renew', 'high']);
  assert.equal(shown(active(0)), ['Premium Expired', 'Renew', 'critical']);
  assert.equal(shown(status({ status: 'expired', subscription: paid(-9) })), [
    'Premium Expired',
    'Renew',
    'critical',
  ]);
  assert.equal(shown(status({})), ['Free Plan', 'Upgrade', 'medium']);
});

test('the storage screen shows plan, days left and billing, also of what has ended', () => {
  const over = displayOf(status({ status: 'expired', subscription: paid(-9) }), new Date(NOW));
  assert.equal([over.title, over.days_left, over.billing], ['Starter (Expired)', 0, '₹9999 / yearly']);
});

test('a percentage has one decimal and an end', () => {
  assert.equal([percentOf(1, 3), percentOf(5, 3), percentOf(0, 3), percentOf(1, 0)], [33.3, 100, 0, 100]);
});

test.run();
