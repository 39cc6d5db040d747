import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Office } from './testing/office.ts';
import { eachOffice } from './testing/office.ts';
import { accept, sendBack, statements, undo } from './testing/statements.ts';

const test = suite<Office>('judgements that the office takes back');
eachOffice(test);

/** Lets the minutes pass after which the client is told. @returns the texts of all e-mails so far about what was sent back. */
async function told(office: Office): Promise<string[]> {
  office.advance(6 * 60_000);
  await office.services.requests.tellReturns();
  const mails = await office.deliverMail();
  return mails.filter(({ kind }) => kind === 'request.returned').map(({ text }) => text);
}
const overrule = (reason: string) => ({ ...sendBack(reason), overrule: true });

test('what a client has sent since is still to be judged: no undo accepts it with the line, or says that the client does not have it', async (office) => {
  const line = await statements(office, ['April.pdf']);
  await line.judge(accept);
  await line.judgeFile('April.pdf', overrule('Not legible'));
  await line.send('May.pdf');
  await line.judgeFile('April.pdf', undo);
  assert.equal(await line.row(), ['received', null, [null, null]]);

  const absent = await statements(office, ['Rent.pdf']);
  await absent.meera.send(`/rows/${absent.rows[0]}/unavailable`, { reason: 'Lost' });
  await absent.judgeFile('Rent.pdf', sendBack('Not legible'));
  await absent.send('Rent again.pdf');
  await absent.judgeFile('Rent.pdf', undo);
  assert.equal(await absent.row(), ['received', null, [null, null]]);
});

test('what is sent back again by an undo is told once, also when something else was sent back meanwhile, and its line is not told with it once more', async (office) => {
  const line = await statements(office, ['April.pdf', 'May.pdf', 'June.pdf']);
  await line.judgeFile('April.pdf', sendBack('Page 2 is missing'));
  await line.judgeFile('April.pdf', accept);
  assert.equal(await told(office), []);
  await line.judgeFile('May.pdf', sendBack('Not legible'));
  await line.judgeFile('April.pdf', undo);
  const [first] = await told(office);
  assert.match(first!, 'May.pdf: Not legible');
  assert.match(first!, 'April.pdf: Page 2 is missing');

  await line.judge(sendBack('July is missing'));
  await told(office);
  await line.judgeFile('April.pdf', accept);
  await line.judgeFile('April.pdf', overrule('Page 3 is missing'));
  await line.judgeFile('April.pdf', accept);
  assert.is((await told(office)).length, 2);
  await line.judgeFile('April.pdf', undo);
  const [, , last] = await told(office);
  assert.match(last!, 'April.pdf: Page 3 is missing');
  assert.not.match(last!, 'July');
});

test.run();
