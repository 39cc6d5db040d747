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

test('each undo goes one decision further back, and none comes back to one that was taken back or leaves all as it is', async (office) => {
  const steps = async (line: Awaited<ReturnType<typeof statements>>, judge: typeof line.judge, n: number) => {
    const rows: unknown[] = [];
    for (let step = 0; step < n; step += 1) {
      await judge(undo);
      rows.push(await line.row());
    }
    return rows;
  };
  for (const [names, then] of [
    [['April.pdf'], 'accepted'],
    [['April.pdf', 'May.pdf'], 'received'],
  ] as const) {
    const line = await statements(office, [...names]);
    const rest = names.slice(1).map(() => null);
    const judge = (how: Parameters<typeof line.judge>[0]) => line.judgeFile('April.pdf', how);
    for (const how of [accept, overrule('Not legible'), accept]) await judge(how);
    assert.equal(await steps(line, then === 'accepted' ? line.judge : judge, 3), [
      ['returned', null, ['Not legible', ...rest]],
      [then, null, ['accepted', ...rest]],
      ['received', null, [null, ...rest]],
    ]);
  }

  const twice = await statements(office, ['April.pdf']);
  await twice.judge(sendBack('Not legible'));
  await twice.judge(sendBack('Page 2 is missing'));
  assert.equal(await steps(twice, twice.judge, 2), [
    ['returned', 'Not legible', ['Not legible']],
    ['received', null, [null]],
  ]);

  const both = await statements(office, ['April.pdf', 'May.pdf']);
  await both.judgeFile('April.pdf', sendBack('Not legible'));
  await both.judgeFile('May.pdf', sendBack('Page 2 is missing'));
  assert.equal(await steps(both, both.judge, 2), [
    ['returned', null, ['Not legible', null]],
    ['received', null, [null, null]],
  ]);
});

test('an undo of a line leaves what was judged by itself since', async (office) => {
  const line = await statements(office, ['April.pdf', 'May.pdf']);
  await line.judge(sendBack('Not legible'));
  await line.judgeFile('April.pdf', accept);
  await line.judgeFile('April.pdf', overrule('Page 2 is missing'));
  await line.judge(undo);
  assert.equal(await line.row(), ['returned', null, ['Page 2 is missing', null]]);
});

test('a client who was asked again since has not sent everything, whatever is taken back', async (office) => {
  const { office: requests } = office.services.requests;
  const { actor } = office.asha;
  const again = {
    reminded: (id: number) => requests.remind(actor, id),
    'opened again': (id: number) =>
      requests.close(actor, id, true).then(() => requests.close(actor, id, false)),
    'asked for more': async (id: number) => {
      const { rows, ...of } = await requests.view(actor, id);
      return requests.change(actor, id, { ...of, rows: [...rows, { id: null, name: 'PAN card' }] });
    },
  };
  for (const [how, ask] of Object.entries(again)) {
    const line = await statements(office, ['April.pdf'], ['Bank statement', 'Form 16']);
    await line.meera.send('/done');
    await line.judgeFile('April.pdf', sendBack('Not legible'));
    office.tick(1);
    await ask(line.id);
    const { waiting_for, done } = await line.judgeFile('April.pdf', undo);
    assert.equal([waiting_for, done], ['client', null], how);
  }
});

test.run();
