import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Office } from '../testing/command-office.ts';
import { eachOffice, run } from '../testing/command-office.ts';
import { plans } from './plans.ts';

const test = suite<Office>('the command about plans');
eachOffice(test);

test('the list counts one user as "1 user", because an admin reads it', async ({ dataDir }) => {
  const { said } = await run(plans, dataDir, ['list']);
  assert.match(said, /Starter .* 25 GB {2}1 user {2}/);
  assert.match(said, /Professional .* 100 GB {2}3 users {2}popular/);
});

test('a mistyped option changes no plan, and a retired plan is sold again only when asked for, not by a change of its price', async ({
  dataDir,
}) => {
  const refusal = (args: string[], options = {}) =>
    run(plans, dataDir, args, options).then(
      () => '',
      ({ message }: Error) => message,
    );
  await run(plans, dataDir, ['retire', 'Starter']);
  assert.match(await refusal(['set', 'Starter'], { popular: 'maybe' }), /--popular takes yes or no/);
  assert.match((await run(plans, dataDir, ['list'])).said, /Starter .*retired/);
  assert.match(await refusal(['set', 'Starter']), /Say what to change: .*"sell" sells a retired plan again/);
  const changed = await run(plans, dataDir, ['set', 'Starter'], { monthly: '777' });
  assert.match(changed.said, /Starter .*Rs 777\/month.*retired/);
  assert.not.match((await run(plans, dataDir, ['sell', 'starter'])).said, /retired/);
  const terms = { monthly: '1', yearly: '1', storage: '1', users: '1' };
  assert.match(await refusal(['add', 'x'.repeat(300)], terms), /at most 40 characters/);
});

test.run();
