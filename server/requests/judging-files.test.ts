import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AppError } from '#server/http/errors.ts';
import { rejects } from '../testing/rejects.ts';
import { bearer } from '../testing/visitor.ts';
import type { Office } from './testing/office.ts';
import { eachOffice } from './testing/office.ts';
import { accept, sendBack, statements, undo, WRONG_YEAR } from './testing/statements.ts';

const test = suite<Office>('single files that the office accepts or sends back');
eachOffice(test);

test('of several files one is sent back with a reason: the client sees which and why, and what is accepted, and is asked for that one alone', async (office) => {
  const line = await statements(office, ['April.pdf', 'May.pdf', 'June.pdf']);
  await line.meera.send('/done');
  await line.judgeFile('April.pdf', accept);
  assert.equal(await line.row(), ['received', null, ['accepted', null, null]]);
  const { receipt: number } = await line.view();
  const { waiting_for, done, receipt } = await line.judgeFile('May.pdf', WRONG_YEAR);
  assert.equal([waiting_for, done, receipt], ['client', null, number], 'the client will quote it');
  assert.match(number!, /^.{4}-.{4}$/);
  assert.equal(await line.row(), ['returned', null, ['accepted', WRONG_YEAR.reason, null]]);
  assert.equal(await line.asked(), [
    'returned',
    null,
    ['April.pdf ✓', 'June.pdf'],
    [['May.pdf', WRONG_YEAR.reason]],
  ]);
  const csv = await office.services.requests.csv(office.asha.actor);
  assert.match(csv, 'Bank statement,returned,May.pdf: This is of 2024-25', 'the list of all requests too');
  office.advance(5 * 60_000);
  await office.services.requests.tellReturns();
  const mail = (await office.deliverMail()).find(({ kind }) => kind === 'request.returned')!;
  assert.is(mail.subject, 'Please send again: ITR FY 2025-26');
  assert.match(mail.text, 'May.pdf: This is of 2024-25');
  assert.match(mail.text, 'could not use one of the files');

  await line.send('May of this year.pdf');
  assert.equal(await line.row(), ['received', null, ['accepted', WRONG_YEAR.reason, null, null]]);
  await line.judgeFile('June.pdf', accept);
  const { state } = await line.judgeFile('May of this year.pdf', accept);
  assert.is(state, 'complete', 'all that was not sent back is accepted, and so is the line');
  assert.equal(await line.asked(), [
    'accepted',
    null,
    ['April.pdf ✓', 'June.pdf ✓', 'May of this year.pdf ✓'],
    [],
  ]);
});

test('a file is judged only with a reason for sending it back, while its line is not accepted, and by those who see its request', async (office) => {
  const { services, asha, build } = office;
  const { office: requests } = services.requests;
  const line = await statements(office, ['April.pdf', 'May.pdf']);
  const other = await office.ask(['PAN card']);
  const may = await line.idOf('May.pdf');
  await rejects(requests.judgeFile(asha.actor, other.id, may, accept), 404);
  await rejects(requests.judgeFile(await build.actor(), line.id, may, accept), 404);
  await rejects(requests.judgeFile(asha.actor, line.id, may, undo), 422);
  const patch = (body: object) =>
    fetch(`${office.address}/api/requests/${line.id}/files/${may}`, {
      method: 'PATCH',
      body: JSON.stringify(body),
      headers: { ...bearer(asha.token), 'content-type': 'application/json', accept: 'application/json' },
    });
  assert.is((await patch({ state: 'returned', reason: ' ' })).status, 422);
  assert.is((await patch({ state: 'accepted' })).status, 200);
  const conflict = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => assert.unreachable(),
      ({ status, message }: AppError) => `${status} ${message}`,
    ) as Promise<string>;
  assert.match(await conflict(line.judgeFile('May.pdf', WRONG_YEAR)), /^409 A colleague has accepted/);
  await line.judge(accept);
  assert.match(await conflict(line.judgeFile('April.pdf', WRONG_YEAR)), /^409 A colleague has accepted/);
  assert.match(await conflict(line.judgeFile('April.pdf', accept)), /^409 Its line is accepted/);
  await line.judge(undo);
  assert.equal(await line.row(), ['received', null, [null, 'accepted']], 'files stay judged as they were');
  await requests.close(asha.actor, line.id, true);
  await rejects(line.judgeFile('April.pdf', accept), 404);
});

test('one undo of a line that is accepted by its last file takes back that decision alone, so that no file stays accepted for which the office has no button', async (office) => {
  const line = await statements(office, ['April.pdf', 'May.pdf']);
  await line.judgeFile('April.pdf', accept);
  office.tick(1);
  assert.is((await line.judgeFile('May.pdf', accept)).state, 'complete');
  assert.is((await line.judge(undo)).state, 'open');
  assert.equal(await line.row(), ['received', null, ['accepted', null]]);
  await line.send('June.pdf');
  await line.judgeFile('June.pdf', accept);
  assert.equal(await line.row(), ['received', null, ['accepted', null, 'accepted']]);

  const single = await statements(office, ['Rent.pdf']);
  await single.judgeFile('Rent.pdf', accept);
  await single.judge(undo);
  assert.equal(await single.row(), ['received', null, [null]]);
  assert.equal((await single.asked())[2], ['Rent.pdf']);
});

test('accepting what was sent back by mistake, and taking that back, leaves it sent back with its reason and unanswered as before', async (office) => {
  const line = await statements(office, ['April.pdf', 'May.pdf']);
  await line.judgeFile('April.pdf', WRONG_YEAR);
  await line.judgeFile('April.pdf', accept);
  await line.judgeFile('April.pdf', undo);
  assert.equal(await line.row(), ['returned', null, [WRONG_YEAR.reason, null]]);
  await line.judgeFile('April.pdf', accept);
  await line.judgeFile('May.pdf', accept);
  await line.judge(undo);
  assert.equal(await line.row(), ['received', null, ['accepted', null]]);
  await line.judgeFile('April.pdf', undo);
  assert.equal(await line.row(), ['returned', null, [WRONG_YEAR.reason, null]]);
  // Another file answers it, before and after.
  await line.send('April again.pdf');
  await line.judgeFile('April.pdf', accept);
  await line.judgeFile('April.pdf', undo);
  assert.equal(await line.row(), ['received', null, [WRONG_YEAR.reason, null, null]]);

  const whole = await statements(office, ['Rent.pdf']);
  await whole.judge(sendBack('Page 2 is missing'));
  for (const judge of [whole.judge, (how: typeof accept | typeof undo) => whole.judgeFile('Rent.pdf', how)]) {
    await judge(accept);
    await whole.judge(undo);
    assert.equal(await whole.row(), ['returned', 'Page 2 is missing', ['Page 2 is missing']]);
  }
});

test('what was sent back is taken back, alone or with its line, and everything is as before, also that the client has sent everything or does not have it', async (office) => {
  const line = await statements(office, ['April.pdf', 'May.pdf']);
  await line.meera.send('/done');
  const { done } = await line.view();
  await line.judgeFile('April.pdf', accept);
  await line.judge(sendBack('Not legible'));
  assert.equal(await line.row(), ['returned', 'Not legible', ['accepted', 'Not legible']]);
  assert.equal((await line.judge(undo)).done, done);
  assert.equal(await line.row(), ['received', null, ['accepted', null]]);
  await line.judgeFile('May.pdf', WRONG_YEAR);
  assert.equal((await line.judge(undo)).done, done, 'by its line, which waits for this file alone');
  assert.equal(await line.row(), ['received', null, ['accepted', null]]);
  await rejects(line.judge(undo), 422);

  const single = await statements(office, ['Rent.pdf']);
  await single.judge(sendBack('Page 2 is missing'));
  await single.judgeFile('Rent.pdf', undo);
  assert.equal(await single.row(), ['received', null, [null]]);

  const absent = await statements(office, []);
  await absent.meera.send(`/rows/${absent.rows[0]}/unavailable`, { reason: 'Lost' });
  await absent.judge(sendBack('Ask for a copy'));
  await absent.judge(undo);
  assert.equal(await absent.row(), ['unavailable', 'Lost', []]);
});

test('accepting a line accepts all but what was sent back by itself, and sending it back spares what is accepted', async (office) => {
  const line = await statements(office, ['April.pdf', 'May.pdf', 'June.pdf']);
  await line.judgeFile('May.pdf', WRONG_YEAR);
  await line.judge(accept);
  assert.equal(await line.row(), ['accepted', null, [null, WRONG_YEAR.reason, null]]);
  await line.judge(undo);
  assert.equal(await line.row(), ['returned', null, [null, WRONG_YEAR.reason, null]]);

  await line.judgeFile('April.pdf', accept);
  await line.judge(sendBack('July is missing'));
  assert.equal(await line.row(), [
    'returned',
    'July is missing',
    ['accepted', WRONG_YEAR.reason, 'July is missing'],
  ]);
  assert.equal(await line.asked(), [
    'returned',
    'July is missing',
    ['April.pdf ✓'],
    [
      ['May.pdf', WRONG_YEAR.reason],
      ['June.pdf', null],
    ],
  ]);
  // After all it was not: what was sent back with the line comes back with it.
  await line.judge(accept);
  assert.equal(await line.row(), ['accepted', null, ['accepted', WRONG_YEAR.reason, null]]);
});

test('a file that was sent back by mistake is accepted after all, and its line waits only for what else was sent back', async (office) => {
  const line = await statements(office, ['April.pdf', 'May.pdf', 'June.pdf']);
  await line.judgeFile('April.pdf', WRONG_YEAR);
  await line.judgeFile('May.pdf', WRONG_YEAR);
  await line.judgeFile('April.pdf', accept);
  assert.is((await line.row())[0], 'returned', 'for May');
  await line.judgeFile('June.pdf', accept);
  assert.is((await line.row())[0], 'returned');
  await line.judgeFile('May.pdf', undo);
  assert.equal(await line.row(), ['received', null, ['accepted', null, 'accepted']]);
  await line.judgeFile('May.pdf', accept);
  assert.is((await line.row())[0], 'accepted');
});

test('what was asked for anew since a file came is not taken for answered when that file is judged once more', async (office) => {
  const line = await statements(office, ['April.pdf']);
  await line.judgeFile('April.pdf', WRONG_YEAR);
  await line.send('April again.pdf', 'June.pdf');
  await line.judgeFile('April again.pdf', accept);
  await line.judge(sendBack('May is missing'));
  await line.judgeFile('April again.pdf', undo);
  await line.judgeFile('April again.pdf', accept);
  assert.equal(await line.row(), [
    'returned',
    'May is missing',
    [WRONG_YEAR.reason, 'accepted', 'May is missing'],
  ]);
});

test('photographs of one document are judged as the one file that they are, and a file that still comes keeps its line open', async (office) => {
  const line = await statements(office, []);
  const { meera } = line;
  const row = line.rows[0]!;
  const photo = async (name: string, width: number, more: Record<string, string>) => {
    const image = sharp({ create: { width, height: 30, channels: 3, background: '#f00' } }).jpeg();
    await meera.upload(row, name, await image.toBuffer(), more);
  };
  for (const position of [1, 2])
    await photo(`${position}.jpg`, 40 + position, { batch: 'batch-one', position: String(position) });
  await meera.bind(row, 'batch-one');
  await photo('3.jpg', 50, { batch: 'batch-two', position: '1' });
  await line.judgeFile('Bank statement.pdf', accept);
  assert.is((await line.row())[0], 'received');
  await line.judgeFile('Bank statement.pdf', undo);
  await line.judgeFile('Bank statement.pdf', sendBack('Not legible'));
  const [shown] = (await meera.open()).rows;
  assert.equal(shown!.returned, [
    { id: await line.idOf('Bank statement.pdf'), name: 'Bank statement.pdf', reason: 'Not legible' },
  ]);
  assert.is(shown!.files.length, 1, 'the photograph that waits');
});

test('a client who does not have what was sent back, and then has it, is told again why it was sent back', async (office) => {
  const line = await statements(office, ['April.pdf', 'May.pdf']);
  await line.judge(sendBack('June is missing'));
  await line.send('June.pdf');
  await line.judgeFile('June.pdf', WRONG_YEAR);
  const path = `/rows/${line.rows[0]}`;
  await line.meera.send(`${path}/unavailable`, { reason: 'The bank is closed' });
  assert.is((await line.row())[0], 'unavailable');
  await line.meera.send(`${path}/available`);
  assert.equal((await line.row()).slice(0, 2), ['returned', null], 'by the reason of the file');
});

test('a typed reason overrules what a colleague has accepted meanwhile, in one step that can be taken back as one', async (office) => {
  const line = await statements(office, ['April.pdf', 'May.pdf']);
  await line.judgeFile('April.pdf', accept);
  await line.judgeFile('May.pdf', accept);
  const { state } = await line.judgeFile('April.pdf', { ...WRONG_YEAR, overrule: true });
  assert.is(state, 'open');
  assert.equal(await line.row(), ['returned', null, [WRONG_YEAR.reason, 'accepted']]);
  assert.is((await line.judgeFile('April.pdf', undo)).state, 'complete');
  assert.equal(await line.row(), ['accepted', null, ['accepted', 'accepted']]);
});

test('a request waits for the office too while something is to be judged, though the client is asked for another file, or nobody would look at it', async (office) => {
  const line = await statements(office, ['April.pdf', 'May.pdf']);
  const toJudge = async () => {
    const [listed] = await office.services.requests.office.list(office.asha.actor);
    const { to_judge, waiting_for } = await line.view();
    assert.is(listed!.to_judge, to_judge);
    return [to_judge, waiting_for];
  };
  assert.equal(await toJudge(), [1, 'office']);
  await line.judgeFile('April.pdf', WRONG_YEAR);
  assert.equal(await toJudge(), [1, 'client']);
  await line.judgeFile('May.pdf', accept);
  assert.equal(await toJudge(), [0, 'client']);
  await line.send('April of this year.pdf');
  assert.equal(await toJudge(), [1, 'office']);
});

test.run();
