import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SubscriptionStatus } from './contract.ts';
import { FREE, TRIAL, displayOf, fullnessOf, percentOf } from './contract.ts';
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

test('a firm without a plan or a trial is on Free', () => {
  const { status, limits } = entitlementOf({ trial_ends_at: null, periods: [] }, NOW);
  assert.equal([status, limits], ['free', FREE]);
});

test('a trial is valid until its end, and the firm is on Free after it', () => {
  assert.equal(entitlementOf({ trial_ends_at: at(1), periods: [] }, NOW).limits, TRIAL);
  assert.is(entitlementOf({ trial_ends_at: NOW, periods: [] }, NOW).status, 'free');
});

test('a plan takes precedence over a trial, and has the limits of Free after it has expired', () => {
  const running = entitlementOf({ trial_ends_at: at(5), periods: [period(-1, 29)] }, NOW);
  assert.equal([running.status, running.limits.bytes], ['active', 25 * 1024 ** 3]);
  const over = entitlementOf({ trial_ends_at: null, periods: [period(-30, 0)] }, NOW);
  assert.equal([over.status, over.limits, over.period?.plan_name], ['expired', FREE, 'Starter']);
});

test('the end includes renewals already paid, and another plan applies immediately', () => {
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

test('badges have the wording of the specification for each number of days left', () => {
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

test('the storage screen shows plan, days left and billing, also of an expired plan', () => {
  const over = displayOf(status({ status: 'expired', subscription: paid(-9) }), new Date(NOW));
  assert.equal([over.title, over.days_left, over.billing], ['Starter (Expired)', 0, '₹9999 / yearly']);
});

test('a percentage has one decimal and is at most 100', () => {
  assert.equal([percentOf(1, 3), percentOf(5, 3), percentOf(0, 3), percentOf(1, 0)], [33.3, 100, 0, 100]);
});

test('the storage is nearly full from 90 percent of its bytes and not before, even where the rounded figure is 90.0', () => {
  const limit = 100_000;
  assert.is(percentOf(89_950, limit), 90);
  assert.equal(
    [0, 74_999, 75_000, 89_950, 89_999, 90_000, 120_000].map((used) => fullnessOf(used, limit)),
    [null, null, 'filling', 'filling', 'filling', 'full', 'full'],
  );
  assert.is(fullnessOf(1, 0), 'full');
});

test.run();
