import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { addMonths } from './periods.ts';
import type { Period } from './entitlement.ts';
import { entitlementOf } from './entitlement.ts';

const period = (starts_at: string, ends_at: string, plan_id = 1): Period => ({
  plan_id,
  plan_name: `Plan ${plan_id}`,
  storage_gb: 10 * plan_id,
  max_users: plan_id,
  amount_paise: 99_900,
  billing_cycle: 'monthly',
  starts_at,
  ends_at,
});
const iso = (day: string) => `${day}T10:00:00.000Z`;
const JAN = period(iso('2027-01-01'), iso('2027-02-01'));
const FEB = period(iso('2027-02-01'), iso('2027-03-01'));
const PRO = period(iso('2027-01-10'), iso('2027-01-20'), 2);

const TABLE: [string, string | null, Period[], string, string, string | null][] = [
  ['nothing', null, [], iso('2027-01-01'), 'free', null],
  ['on the trial’s first moment', iso('2027-01-15'), [], iso('2027-01-01'), 'trial', null],
  ['a moment before it ends', iso('2027-01-15'), [], '2027-01-15T09:59:59.999Z', 'trial', null],
  ['as it ends', iso('2027-01-15'), [], iso('2027-01-15'), 'free', null],
  ['before a plan begins', null, [JAN], '2027-01-01T09:59:59.999Z', 'free', null],
  ['as it begins', null, [JAN], iso('2027-01-01'), 'active', iso('2027-02-01')],
  ['as it ends', null, [JAN], iso('2027-02-01'), 'expired', iso('2027-02-01')],
  ['renewed', null, [JAN, FEB], iso('2027-01-31'), 'active', iso('2027-03-01')],
  ['between two that meet', null, [FEB, JAN], iso('2027-02-01'), 'active', iso('2027-03-01')],
  ['paid during a trial', iso('2027-01-15'), [JAN], iso('2027-01-02'), 'active', iso('2027-02-01')],
  ['a trial that outlives a plan', iso('2027-02-10'), [JAN], iso('2027-02-05'), 'trial', null],
  ['another plan on top', null, [JAN, PRO], iso('2027-01-15'), 'active', iso('2027-01-20')],
  ['when that has ended', null, [JAN, PRO], iso('2027-01-20'), 'active', iso('2027-02-01')],
  ['both ended', iso('2027-01-15'), [JAN, PRO], iso('2027-05-01'), 'expired', null],
];

for (const [name, trial_ends_at, periods, now, status, end] of TABLE) {
  test(`the entitlement follows from the periods and the clock: ${name}`, () => {
    const standing = entitlementOf({ trial_ends_at, periods }, now);
    assert.is(standing.status, status);
    if (end) assert.is(standing.period?.ends_at, end);
    const wanted = { free: 1, expired: 1, trial: 5, active: standing.period?.storage_gb }[status];
    assert.is(standing.limits.bytes, wanted! * 1024 ** 3);
  });
}

test('of several expired plans, the one that ended last is offered for renewal', () => {
  const { period: last } = entitlementOf({ trial_ends_at: null, periods: [JAN, PRO] }, iso('2027-05-01'));
  assert.is(last?.plan_id, 1);
});

test('a month ends on the same day and time of the Indian calendar', () => {
  const rows = [
    ['2026-11-20T10:00:00.000Z', 1, '2026-12-20T10:00:00.000Z'],
    ['2027-01-31T10:00:00.000Z', 1, '2027-02-28T10:00:00.000Z'],
    ['2028-01-31T10:00:00.000Z', 1, '2028-02-29T10:00:00.000Z'],
    ['2028-02-29T10:00:00.000Z', 12, '2029-02-28T10:00:00.000Z'],
    ['2027-12-31T10:00:00.000Z', 12, '2028-12-31T10:00:00.000Z'],
    // In India it is already the first of February.
    ['2027-01-31T18:30:00.000Z', 1, '2027-02-28T18:30:00.000Z'],
    // And here not yet: the last moment of January.
    ['2027-01-31T18:29:59.999Z', 1, '2027-02-28T18:29:59.999Z'],
    ['2027-02-28T18:30:00.000Z', 1, '2027-03-31T18:30:00.000Z'],
  ] as const;
  for (const [from, months, to] of rows) assert.is(addMonths(from, months), to);
});

test.run();
