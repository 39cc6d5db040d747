import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Office } from './testing/office.ts';
import { eachOffice, pdf, sender } from './testing/office.ts';

const test = suite<Office>('receipts of clients');
eachOffice(test);

const receiptEmails = async (office: Office) =>
  (await office.deliverMail()).filter(({ kind }) => kind === 'request.receipt');

test('a client who has none of the documents gets a receipt that lists every answer, and the office sees that it is its turn', async (office) => {
  for (const [language, subject, answers] of [
    [
      'en',
      'your answer received',
      ['Form 16: Not available, as you wrote\n', 'PAN: Not available, as you wrote: Lost'],
    ],
    ['hi', 'आपका जवाब मिला', ['Form 16: आपके अनुसार उपलब्ध नहीं\n', 'PAN: आपके अनुसार उपलब्ध नहीं: Lost']],
  ] as const) {
    const { id, url, rows } = await office.ask(['Form 16', 'PAN'], { send: false, language });
    const meera = sender(office, office.address, url);
    await meera.send(`/rows/${rows[0]}/unavailable`, { reason: '' });
    await meera.send(`/rows/${rows[1]}/unavailable`, { reason: 'Lost' });
    assert.is((await meera.send('/done')).get('said'), 'done');
    const { number, files } = (await meera.open()).receipt!;
    assert.is(files, 0);
    const email = (await receiptEmails(office)).at(-1)!;
    for (const text of [number, subject]) assert.match(email.subject, text);
    for (const answer of answers) assert.match(email.text, answer);
    const view = await office.services.requests.office.view(office.asha.actor, id);
    assert.equal([view.done?.receipt, view.waiting_for, view.to_judge], [number, 'office', 2]);
    assert.is(view.opened, 1, 'without script nothing else says that the client has opened it');
  }
});

test('an answer after the receipt makes another one, which lists it, and pressing the button again does not', async (office) => {
  const { url, rows } = await office.ask(['Form 16', 'PAN']);
  const meera = sender(office, office.address, url);
  await meera.files(rows[0]!, [['Form 16.pdf', pdf('Form 16')]]);
  await meera.send('/done');
  office.advance(1000);
  await meera.send(`/rows/${rows[1]}/unavailable`, { reason: 'Lost' });
  await meera.send('/done');
  const { receipt } = await meera.open();
  office.advance(1000);
  await meera.send('/done');
  assert.equal((await meera.open()).receipt, receipt);
  const emails = await receiptEmails(office);
  assert.is(emails.length, 2);
  assert.match(emails[1]!.text, 'PAN: Not available, as you wrote: Lost');
});

test.run();
