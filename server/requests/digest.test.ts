import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Office } from './testing/office.ts';
import { eachOffice, pdf, sender } from './testing/office.ts';

const MINUTE = 60_000;
const test = suite<Office>('e-mails to the office about what clients have sent');
eachOffice(test);

/** The texts of the e-mails so far. */
const digests = async (office: Office): Promise<string[]> =>
  (await office.deliverMail()).filter(({ kind }) => kind === 'request.digest').map(({ text }) => text);

test('every file is counted by the time when it came into the drive, which is later than its arrival, or the office would not learn of it', async (office) => {
  const { services, address } = office;
  const { url, rows } = await office.ask(['Form 16 for FY 2025-26', 'Bank statement']);
  const meera = sender(office, address, url);
  office.tick(1);
  await meera.files(rows[0]!, [['Form 16.pdf', pdf('Form 16')]]);
  office.advance(31 * MINUTE);
  assert.is(await services.requests.notifyOffice(), 1);
  const first = await digests(office);
  assert.is(first.length, 1);
  assert.match(first[0]!, '1 file');

  await meera.files(rows[1]!, [['HDFC April.pdf', pdf('April')]]);
  await meera.files(rows[1]!, [['HDFC May.pdf', pdf('May')]]);
  office.advance(31 * MINUTE);
  await services.requests.notifyOffice();
  const second = await digests(office);
  assert.is(second.length, 2);
  assert.match(second[1]!, '2 files');
});

test('an e-mail tells only of what came since the one before, also where the client takes back an answer that was told', async (office) => {
  const { services, address } = office;
  const { url, rows } = await office.ask(['Form 16 for FY 2025-26', 'PAN card']);
  const meera = sender(office, address, url);
  office.tick(1);
  await meera.files(rows[0]!, [['Form 16.pdf', pdf('Form 16')]]);
  office.advance(31 * MINUTE);
  await services.requests.notifyOffice();
  await meera.send(`/rows/${rows[1]}/unavailable`, { reason: 'Applied for' });
  office.advance(31 * MINUTE);
  await services.requests.notifyOffice();
  const [, second] = await digests(office);
  assert.match(second!, 'does not have "PAN card": Applied for');
  assert.not.match(second!, /\d files?/);
});

test('what clients send before and after the clock is set back by a day is told, or the office would not learn of it', async (office) => {
  const { services, address } = office;
  const { url, rows } = await office.ask(['Form 16 for FY 2025-26', 'Bank statement', 'PAN card']);
  const meera = sender(office, address, url);
  office.tick(1);
  await meera.files(rows[0]!, [['Form 16.pdf', pdf('Form 16')]]);
  office.advance(-5000);
  assert.is(await services.requests.notifyOffice(), 0, 'the clock of another machine may be seconds behind');
  office.advance(-24 * 60 * MINUTE);
  await services.requests.notifyOffice();
  await meera.files(rows[1]!, [['HDFC April.pdf', pdf('April')]]);
  office.advance(31 * MINUTE);
  await services.requests.notifyOffice();
  const texts = await digests(office);
  assert.is(texts.length, 2);
  for (const text of texts) assert.match(text, /\d files?/);
});

test('news of a request whose client was deleted are ended too, or the server would look at them every minute', async (office) => {
  const { services, address, asha, client } = office;
  const { url, rows } = await office.ask(['PAN card']);
  await sender(office, address, url).files(rows[0]!, [['PAN.pdf', pdf('PAN')]]);
  await services.clients.remove(asha.actor, client);
  office.advance(31 * MINUTE);
  assert.is(await services.requests.notifyOffice(), 1);
  assert.is(await services.requests.notifyOffice(), 0);
});

test.run();
