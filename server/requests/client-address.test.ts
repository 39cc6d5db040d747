import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Office } from './testing/office.ts';
import { eachOffice, pdf, sender } from './testing/office.ts';

const DAY = 24 * 60 * 60_000;
const test = suite<Office>('the e-mail address to which the e-mails of a request go');
eachOffice(test);

/** The recipients of the e-mails of this kind so far. */
const recipients = async (office: Office, kind: string): Promise<string[]> =>
  (await office.deliverMail()).filter((email) => email.kind === kind).map(({ to }) => to.address);

const reminded = { due_on: '2026-11-22', reminders: { before: null, on: true, after: 1 }, send: false };

test('a corrected address of a client is that of the open requests too, or a stranger would go on getting their link', async (office) => {
  const { services, asha, client } = office;
  const { office: requests } = services.requests;
  const { id, url, rows } = await office.ask(['Form 16'], reminded);
  const other = await office.ask(['Sale deed'], reminded);
  const { title, note, due_on, language, reminders, rows: deeds } = await requests.view(asha.actor, other.id);
  const change = { title, note, due_on, language, reminders, rows: deeds };
  await requests.change(asha.actor, other.id, { ...change, email: 'husband@example.in' });

  await services.clients.update(asha.actor, client, { email: 'meera.iyer@example.in' });
  assert.is((await requests.view(asha.actor, id)).email, 'meera.iyer@example.in');
  assert.is(
    (await requests.view(asha.actor, other.id)).email,
    'husband@example.in',
    'chosen for this request',
  );
  office.advance(2 * DAY);
  await services.requests.sendReminders();
  assert.equal((await recipients(office, 'request.reminder')).toSorted(), [
    'husband@example.in',
    'meera.iyer@example.in',
  ]);
  const meera = sender(office, office.address, url);
  await meera.files(rows[0]!, [['Form 16.pdf', pdf('Form 16')]]);
  await meera.send('/done');
  assert.equal(await recipients(office, 'request.receipt'), ['meera.iyer@example.in']);

  await services.clients.update(asha.actor, client, { email: null });
  assert.is((await requests.view(asha.actor, id)).email, '');
  office.advance(DAY);
  await services.clients.update(asha.actor, client, { email: 'meera@iyer.in' });
  assert.is((await requests.view(asha.actor, id)).email, 'meera@iyer.in', 'also after it had none');
});

test('an address that is corrected by an import of clients is that of the requests, also of one that is opened again later', async (office) => {
  const { services, asha, client } = office;
  await services.clients.update(asha.actor, client, { pan: 'AAAPZ0000A' });
  const { id } = await office.ask(['Form 16'], reminded);
  await services.requests.office.close(asha.actor, id, true);
  const list = Buffer.from('Client Name,PAN,E-Mail ID\r\nMeera Iyer,AAAPZ0000A,meera.iyer@example.in');
  const done = await services.clients.import.run(asha.actor, list, ['name', 'pan', 'email']);
  assert.is(done.updated, 1);
  await services.requests.office.close(asha.actor, id, false);
  await services.requests.office.remind(asha.actor, id);
  assert.equal(await recipients(office, 'request.reminder'), ['meera.iyer@example.in']);
});

test.run();
