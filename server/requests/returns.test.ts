import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bearer } from '../testing/visitor.ts';
import { isSentBack } from './contract.ts';
import type { Office } from './testing/office.ts';
import { eachOffice, pdf, sender } from './testing/office.ts';
import { accept, sendBack, undo } from './testing/statements.ts';

const MINUTE = 60_000;
const test = suite<Office>('the e-mail to a client about what was sent back');
eachOffice(test);

/** A client who has sent statements for the first row and has no PAN card, and what the office says to each. */
async function answered(office: Office, names = ['April.pdf', 'May.pdf', 'June.pdf']) {
  const { services, asha, address } = office;
  const { office: requests } = services.requests;
  const asked = await office.ask(['Bank statement', 'PAN card'], { send: false });
  const meera = sender(office, address, asked.url);
  office.tick(1);
  await meera.files(
    asked.rows[0]!,
    names.map((name) => [name, pdf(name)]),
  );
  await meera.send(`/rows/${asked.rows[1]}/unavailable`, { reason: 'Lost' });
  const view = () => requests.view(asha.actor, asked.id);
  const [{ files }] = (await view()).rows as [Awaited<ReturnType<typeof view>>['rows'][0]];
  return {
    ...asked,
    meera,
    requests,
    view,
    judgeFile: (name: string, how: Parameters<typeof requests.judgeFile>[3]) =>
      requests.judgeFile(asha.actor, asked.id, files.find((file) => file.name === name)!.id, how),
    judge: (row: number, how: Parameters<typeof requests.judge>[3]) =>
      requests.judge(asha.actor, asked.id, asked.rows[row]!, how),
    close: (closed: boolean) => requests.close(asha.actor, asked.id, closed),
    /** Lets minutes pass, with the recurring job. @returns the texts of all e-mails so far about what was sent back. */
    async after(minutes: number): Promise<string[]> {
      office.advance(minutes * MINUTE);
      if (await services.requests.returnsDue()) await services.requests.tellReturns();
      return (await office.deliverMail())
        .filter(({ kind }) => kind === 'request.returned')
        .map(({ subject, text }) => `${subject}\n${text}`);
    },
  };
}

test('what is sent back one by one is one e-mail with each reason, some minutes after the last one, so that the client gets one and not many', async (office) => {
  const line = await answered(office);
  await line.judgeFile('April.pdf', sendBack('Page 2 is missing'));
  assert.equal(await line.after(4), []);
  await line.judgeFile('May.pdf', sendBack('This is of 2024-25'));
  const { tells_at } = await line.judge(1, sendBack('Ask for a copy'));
  const { rows } = await line.meera.open();
  assert.equal(rows.map(isSentBack), [true, false], 'what was never sent is not sent again');
  assert.is(Math.round((Date.parse(tells_at!) - office.now().getTime()) / MINUTE), 5);
  assert.equal(await line.after(4), [], 'the office still works');
  const [told, ...more] = await line.after(2);
  assert.is(more.length, 0);
  assert.match(told!, 'Please send again: ITR FY 2025-26');
  assert.match(told!, 'could not use 2 of the files that you sent');
  assert.match(told!, 'Bank statement: April.pdf: Page 2 is missing');
  assert.match(told!, 'Bank statement: May.pdf: This is of 2024-25');
  assert.match(
    told!,
    /You wrote that you do not have this document.*still needs it\.\s+PAN card: Ask for a copy/,
  );
  assert.is((await line.view()).tells_at, null);
  assert.is((await line.after(60)).length, 1, 'and not once more');
  const { data } = await office.services.audit.list(office.asha.actor, {});
  assert.equal(
    data.filter(({ did }) => did === 'request.tell').map(({ what, about }) => [what, about]),
    [['Told a client what was sent back', 'ITR FY 2025-26']],
  );

  await line.judgeFile('June.pdf', sendBack('Not legible'));
  const [, next] = await line.after(6);
  assert.match(next!, 'June.pdf: Not legible');
  assert.not.match(next!, /April|May|PAN/);
});

test('a client is told what was sent back also when the clock is set back by a day meanwhile, not a day later', async (office) => {
  const line = await answered(office);
  await line.judgeFile('April.pdf', sendBack('Page 2 is missing'));
  assert.is((await line.after(-24 * 60)).length, 1);
});

test('what is accepted before the e-mail leaves is not in it, and nothing is sent when nothing is left', async (office) => {
  const line = await answered(office);
  await line.judgeFile('April.pdf', sendBack('Page 2 is missing'));
  await line.judgeFile('May.pdf', sendBack('This is of 2024-25'));
  await line.judgeFile('April.pdf', accept);
  const [told] = await line.after(6);
  assert.match(told!, 'could not use one of the files');
  assert.not.match(told!, /April/);
  await line.judge(1, sendBack('Ask for a copy'));
  assert.is((await line.judge(1, accept)).tells_at, null);
  assert.is((await line.after(6)).length, 1);
  assert.not(await office.services.requests.returnsDue());
});

test('what is taken back before the e-mail leaves is not in it, and what is sent back again by an undo of its acceptance is told, also when the e-mail has left meanwhile', async (office) => {
  const line = await answered(office);
  await line.judgeFile('April.pdf', sendBack('Page 2 is missing'));
  await line.judgeFile('May.pdf', sendBack('This is of 2024-25'));
  await line.judge(1, sendBack('Ask for a copy'));
  await line.judgeFile('April.pdf', undo);
  await line.judge(1, undo);
  await line.judgeFile('May.pdf', accept);
  await line.judgeFile('May.pdf', undo);
  const [told] = await line.after(6);
  assert.match(told!, 'May.pdf: This is of 2024-25');
  assert.not.match(told!, /April|PAN/);
  await line.judgeFile('May.pdf', accept);
  await line.judgeFile('May.pdf', undo);
  assert.is((await line.after(6)).length, 1, 'told already');

  await line.judgeFile('April.pdf', sendBack('Not legible'));
  await line.judgeFile('April.pdf', accept);
  assert.is((await line.after(6)).length, 1);
  assert.ok((await line.judgeFile('April.pdf', undo)).tells_at);
  const [, next] = await line.after(6);
  assert.match(next!, 'April.pdf: Not legible');
  assert.not.match(next!, /May/);

  await line.judgeFile('June.pdf', sendBack('Not legible'));
  assert.is((await line.judgeFile('June.pdf', undo)).tells_at, null);
  assert.is((await line.after(6)).length, 2);
});

test('a client who sends another file meanwhile is told all the same which one was sent back, since they may not have seen it', async (office) => {
  const line = await answered(office, ['April.pdf', 'May.pdf']);
  await line.judge(0, sendBack('Not legible'));
  await line.meera.files(line.rows[0]!, [['June.pdf', pdf('June')]]);
  const [told] = await line.after(6);
  assert.match(told!, 'Bank statement: April.pdf: Not legible');
  assert.match(told!, 'Bank statement: May.pdf: Not legible');
});

test('a line that is sent back as a whole names its files, and one for which July alone is missing is not said to be unavailable', async (office) => {
  const line = await answered(office, ['April.pdf', 'May.pdf']);
  await line.judge(0, sendBack('Not legible'));
  assert.match((await line.after(6))[0]!, 'Bank statement: April.pdf, May.pdf: Not legible');
  await line.meera.files(line.rows[0]!, [
    ['June.pdf', pdf('June')],
    ['June again.pdf', pdf('June again')],
  ]);
  const [june, again] = (await line.view()).rows[0]!.files.slice(-2);
  await line.requests.judgeFile(office.asha.actor, line.id, june!.id, accept);
  await line.meera.send(`/arrivals/${again!.id}/back`);
  await line.judge(0, sendBack('July is missing'));
  const [, told] = await line.after(6);
  assert.match(told!, 'Bank statement: July is missing');
  assert.not.match(told!, /do not have/);
});

test('a reminder that goes out meanwhile has the reasons, so that the client is not told twice', async (office) => {
  const line = await answered(office);
  await line.judgeFile('May.pdf', sendBack('This is of 2024-25'));
  await line.requests.remind(office.asha.actor, line.id);
  assert.is((await line.view()).tells_at, null);
  assert.equal(await line.after(6), []);
  const reminder = (await office.deliverMail()).find(({ kind }) => kind === 'request.reminder')!;
  assert.match(reminder.text, 'Bank statement: May.pdf: This is of 2024-25');
});

test('a request that is closed meanwhile sends none, and one that is opened again does so after the office has had its minutes', async (office) => {
  const line = await answered(office);
  await line.judgeFile('May.pdf', sendBack('This is of 2024-25'));
  assert.is((await line.close(true), await line.view()).tells_at, null);
  assert.equal(await line.after(60), []);
  await line.close(false);
  assert.equal(await line.after(4), []);
  assert.is((await line.after(2)).length, 1);
});

test('no e-mail waits for a client without an address, or of a deleted client or request', async (office) => {
  const line = await answered(office);
  await line.judgeFile('April.pdf', sendBack('Page 2 is missing'));
  await line.requests.remove(office.asha.actor, line.id);
  const other = await answered(office);
  await other.judgeFile('April.pdf', sendBack('Page 2 is missing'));
  await office.services.clients.update(office.asha.actor, office.client, { email: null });
  assert.is((await other.judgeFile('May.pdf', sendBack('Page 3 is missing'))).tells_at, null);
  await office.services.clients.remove(office.asha.actor, office.client);
  assert.equal(await other.after(6), []);
  assert.not(await office.services.requests.returnsDue());
});

test('over HTTP the answer to a judgement says when the client will be told', async (office) => {
  const line = await answered(office);
  const { id } = (await line.view()).rows[0]!.files[0]!;
  const answer = await fetch(`${office.address}/api/requests/${line.id}/files/${id}`, {
    method: 'PATCH',
    body: JSON.stringify(sendBack('Page 2 is missing')),
    headers: { ...bearer(office.asha.token), 'content-type': 'application/json', accept: 'application/json' },
  });
  const { data } = (await answer.json()) as { data: { tells_at: string } };
  assert.ok(Date.parse(data.tells_at) > office.now().getTime());
});

test.run();
