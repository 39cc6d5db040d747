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

test.run();
