import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Office } from './testing/office.ts';
import { eachOffice, pdf, sender } from './testing/office.ts';

const DAY = 24 * 60 * 60_000;
/** A scanner whose StreamMaxLength is smaller than every file. */
const scanner = createServer((socket) => {
  socket.on('error', () => {}).once('data', () => socket.end('INSTREAM size limit exceeded. ERROR\0'));
});
const address = { host: '127.0.0.1', port: 0 };

const test = suite<Office>('documents from clients that the virus scanner does not let through');
eachOffice(test, { clamd: { address, all: false } });
test.before(async () => {
  await once(scanner.listen(0, '127.0.0.1'), 'listening');
  address.port = (scanner.address() as AddressInfo).port;
});
test.after(() => void scanner.close());

const ask = (office: Office) =>
  office.ask(['Bank statement', 'PAN card'], {
    due_on: '2026-11-22',
    reminders: { before: null, on: true, after: 1 },
    send: false,
  });

test('a client is not reminded of a document that is held back, for the client has sent it, and admins are notified of it', async (office) => {
  const { services, asha } = office;
  const { id, url, rows } = await ask(office);
  await sender(office, office.address, url).files(rows[0]!, [['HDFC April.pdf', pdf('April')]]);
  office.advance(2 * DAY);
  assert.is(await services.requests.sendReminders(), 1);
  const sent = await office.deliverMail();
  const reminder = sent.find(({ kind }) => kind === 'request.reminder')!;
  assert.match(reminder.text, 'PAN card');
  assert.not.match(reminder.text, 'Bank statement');
  const told = sent.filter(({ kind }) => kind === 'scanning.held');
  assert.equal(
    told.map(({ to, subject }) => [to.address, subject]),
    [[asha.email, 'HDFC April.pdf is too large for the virus scanner and is held back']],
  );
  const { office: requests } = services.requests;
  await requests.judge(asha.actor, id, rows[1]!, { state: 'accepted', reason: '' });
  const nothing = await requests.remind(asha.actor, id).then(String, ({ errors }) => errors.email[0]);
  assert.match(nothing, 'Nothing is missing');
});

test('an admin can delete a file that is held back before it is in the drive, after which the client is asked for it again', async (office) => {
  const { services, asha, db } = office;
  const { id, url, rows } = await ask(office);
  const meera = sender(office, office.address, url);
  await meera.files(rows[0]!, [['HDFC April.pdf', pdf('April')]]);
  const [held] = (await services.scanning.list(asha.actor)).files;
  assert.equal([held!.item, held!.is_arriving], [null, true]);
  await services.scanning.remove(asha.actor, held!.id, { reason: 'The client sends it by month' });
  assert.equal((await services.scanning.list(asha.actor)).files, []);
  assert.equal((await meera.open()).rows[0]!.files, []);
  assert.equal(await db('storage_reservations'), []);
  assert.equal(await db('discarded_blobs').pluck('blob_id'), [held!.id]);
  const [entry] = await db('audit_events').where({ did: 'scanning.delete' });
  assert.match(entry.detail, 'by month');
  office.advance(2 * DAY);
  await services.requests.sendReminders();
  const { text } = (await office.deliverMail()).find(({ kind }) => kind === 'request.reminder')!;
  assert.match(text, 'Bank statement');
  await services.requests.office.remove(asha.actor, id);
});

test.run();
