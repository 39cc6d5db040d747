import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rejects } from '../testing/rejects.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import { TRIAL } from './contract.ts';

const test = suite<World>('subscription');
test.before.each(async (world) => void Object.assign(world, await freshWorld()));
test.after.each((world) => world.close());

test('the initial plans are the fallback plans of the landing page', async ({
  services: { subscription },
}) => {
  const plans = await subscription.plans();
  assert.equal(
    plans.map((plan) => [
      plan.name,
      plan.monthly_price,
      plan.yearly_price,
      plan.storage_formatted,
      plan.max_users,
      plan.is_popular,
      plan.yearly_savings_percentage,
    ]),
    [
      ['Starter', 999, 9999, '25 GB', 1, false, 17],
      ['Professional', 1999, 19_999, '100 GB', 3, true, 17],
      ['Enterprise', 4999, 49_999, '500 GB', 10, false, 17],
    ],
  );
});

test('three requests at once start one trial, and a second one is refused', async ({
  services: { subscription },
  build,
  advance,
}) => {
  const actor = await build.actor();
  const results = await Promise.allSettled([1, 2, 3].map(() => subscription.startTrial(actor)));
  assert.is(results.filter(({ status }) => status === 'fulfilled').length, 1);
  const during = await subscription.current(actor);
  assert.equal(
    [during.is_trial, during.status, during.badge.message],
    [true, 'trial', 'Trial: 14 days left'],
  );
  assert.equal(await subscription.limitsOf(actor), TRIAL);
  advance(14 * 86_400_000);
  const after = await subscription.current(actor);
  assert.equal([after.is_trial, after.status, after.badge.plan], [false, 'free', 'Free Plan']);
  assert.is((await rejects(subscription.startTrial(actor), 409)).code, 'trial_used');
});

test('a firm with a plan cannot start a trial, and can still do so later', async ({
  services: { subscription },
  build,
  db,
  now,
}) => {
  const actor = await build.actor();
  const ends_at = new Date(now().getTime() + 30 * 86_400_000).toISOString();
  await db('subscriptions').insert({
    firm_id: actor.firmId,
    plan_id: 2,
    billing_cycle: 'monthly',
    amount_paise: 199_900,
    starts_at: now().toISOString(),
    ends_at,
  });
  assert.is((await rejects(subscription.startTrial(actor), 409)).code, 'has_plan');
  const { subscription: paid, badge, user_limit } = await subscription.current(actor);
  assert.equal(
    [paid?.plan_name, paid?.amount_paid, paid?.ends_at, user_limit],
    ['Professional', 1999, ends_at, 3],
  );
  assert.equal([badge.plan, badge.action], ['Premium Plan', null]);
});

test('only users with permission to manage billing may start a trial', async ({
  services: { subscription },
  build,
}) => {
  const actor = await build.actor();
  await rejects(subscription.startTrial(build.limited(actor, ['documents.read', 'documents.write'])), 403);
  assert.is((await subscription.startTrial(build.limited(actor, ['billing.manage']))).status, 'trial');
});

test('the used storage is that of the own firm only', async ({ services: { subscription }, build }) => {
  const [actor, other] = [await build.actor(), await build.actor()];
  await build.file(other, { content: 'x'.repeat(5000) });
  await build.file(actor, { content: 'x'.repeat(1024) });
  const { storage_details } = await subscription.current(actor);
  assert.equal([storage_details.used_formatted, storage_details.limit_formatted], ['1 KB', '1 GB']);
});

test.run();
