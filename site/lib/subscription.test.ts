import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SubscriptionStatus } from './subscription.ts';
import { daysLeft, subscriptionLabel } from './subscription.ts';

const test = suite('the subscription badge');
const NOW = Date.parse('2026-11-20T10:00:00Z');
const after = (days: number) => new Date(NOW + days * 86_400_000).toISOString();
const trial = (days: number): SubscriptionStatus => ({
  is_trial: true,
  status: 'trial',
  trial_ends_at: after(days),
  subscription: null,
});
const paid = (days: number, status = 'active'): SubscriptionStatus => ({
  is_trial: false,
  status,
  trial_ends_at: null,
  subscription: { ends_at: after(days) },
});
const said = (status: SubscriptionStatus | null) => {
  const { text, action, urgency } = subscriptionLabel(status, NOW);
  return [text, action, urgency];
};

test('days left are whole, rounded up, and never below nothing', () => {
  assert.is(daysLeft(after(0.1), NOW), 1);
  assert.is(daysLeft(after(-3), NOW), 0);
  assert.is(daysLeft(null, NOW), 0);
});

test('a trial counts its days and warns in its last week', () => {
  assert.equal(said(trial(8)), ['Trial: 8 days left', 'Upgrade Now', 'medium']);
  assert.equal(said(trial(7)), ['Trial ends in 7 days!', 'Upgrade Now', 'high']);
});

test('a paid plan says so, warns in its last week, and says when it is over', () => {
  assert.equal(said(paid(30)), ['Premium Active', null, 'none']);
  assert.equal(said(paid(7)), ['Expires in 7 days', 'Renew', 'high']);
  assert.equal(said(paid(-1)), ['Premium Expired', 'Renew', 'critical']);
  assert.equal(said(paid(30, 'expired')), ['Premium Expired', 'Renew', 'critical']);
});

test('whoever has neither is on the free plan', () => {
  assert.equal(said(null), ['Free Plan', 'Upgrade', 'medium']);
});

test.run();
