import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Office } from '../testing/command-office.ts';
import { eachOffice, run } from '../testing/command-office.ts';
import { grant } from './grant.ts';
import { operator } from './operator.ts';

const test = suite<Office>('the command about who looks after the installation');
eachOffice(test);

test('the admins of the first firm are named when they lose the System screen, and when they get it back', async ({
  dataDir,
  build,
  db,
  actor,
}) => {
  const { email: first } = await db('users').where({ id: actor.userId }).first('email');
  const { email } = await build.account();
  assert.match((await run(operator, dataDir, ['list'])).said, first);
  const added = await run(operator, dataDir, ['add', email]);
  assert.match(added.said, `They see System no longer: ${first}.`);
  assert.not.match((await run(operator, dataDir, ['add', email])).said, 'no longer');
  const removed = await run(operator, dataDir, ['remove', email]);
  assert.match(removed.said, `the admins of the first firm see System now: ${first}.`);
});

test('the end of a plan is said in India\u2019s time, as everywhere else', async ({ dataDir, build }) => {
  const { email } = await build.account();
  const { said } = await run(grant, dataDir, [email, 'Starter', '1']);
  assert.match(said, /has Starter until \w+ \d{1,2}, \d{4}, \d+:\d\d [AP]M IST\.$/);
});

test.run();
