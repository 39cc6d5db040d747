import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Office } from './testing/office.ts';
import type { AppError } from '#server/http/errors.ts';
import { eachOffice, pdf, sender } from './testing/office.ts';
import { accept, sendBack, undo } from './testing/statements.ts';

const test = suite<Office>('documents that the office accepts or sends back');
eachOffice(test);

/** State and reason of the rows, and the files that count. */
async function rowsOf({ services, asha }: Office, id: number) {
  const { rows } = await services.requests.office.view(asha.actor, id);
  return rows.map(({ state, reason, files }) => [
    state,
    reason,
    files.flatMap(({ name, judged }) => (judged === 'returned' ? [] : [name])),
  ]);
}

test('sending a document back concerns the files that the office could open, and not the photographs that still wait', async (office) => {
  const { services, asha } = office;
  const { id, url, rows } = await office.ask(['Bank statement']);
  const meera = sender(office, office.address, url);
  await meera.files(rows[0]!, [['HDFC April.pdf', pdf('April')]]);
  const photo = sharp({ create: { width: 40, height: 30, channels: 3, background: '#f00' } }).jpeg();
  await meera.upload(rows[0]!, 'May.jpg', await photo.toBuffer(), { batch: 'batch-may', position: '1' });
  await services.requests.office.judge(asha.actor, id, rows[0]!, sendBack('May is missing'));
  await meera.bind(rows[0]!, 'batch-may');
  assert.equal(await rowsOf(office, id), [['received', null, ['Bank statement.pdf']]]);
  assert.is((await meera.open()).rows[0]!.files.length, 1);
});

test('taking back an acceptance gives the document the state that it had, and the reason of a client who does not have it', async (office) => {
  const { services, asha } = office;
  const { office: requests } = services.requests;
  const { id, url, rows } = await office.ask(['Form 16', 'Rent agreement', 'PAN card']);
  const meera = sender(office, office.address, url);
  await meera.files(rows[0]!, [['Form 16.pdf', pdf('Form 16')]]);
  await meera.send(`/rows/${rows[1]}/unavailable`, { reason: 'We own the flat' });
  // The third was handed over on paper.
  for (const row of rows) await requests.judge(asha.actor, id, row, accept);
  assert.is((await requests.view(asha.actor, id)).state, 'complete');
  for (const row of rows) await requests.judge(asha.actor, id, row, undo);
  assert.equal(await rowsOf(office, id), [
    ['received', null, ['Form 16.pdf']],
    ['unavailable', 'We own the flat', []],
    ['wanted', null, []],
  ]);
});

test('a document that the client does not have counts as received for nobody, also once the office has accepted that', async (office) => {
  const { services, asha, client } = office;
  const { id, url, rows } = await office.ask(['Form 16', 'Rent agreement']);
  await sender(office, office.address, url).send(`/rows/${rows[1]}/unavailable`, { reason: '' });
  await services.requests.office.judge(asha.actor, id, rows[1]!, accept);
  const [listed] = await services.requests.office.list(asha.actor);
  assert.equal(listed!.rows, { total: 2, accepted: 0, received: 0, unavailable: 1, wanted: 1 });
  const [asked] = await services.requests.ofClient.asked(asha.actor.firmId, client);
  assert.equal([asked!.unavailable, asked!.wanted, asked!.total], [1, ['Form 16'], 2]);
});

test('a document that the client sent before saying not to have it counts as received, and as accepted once it is, as on the page of the client', async (office) => {
  const { services, asha, client } = office;
  const { id, url, rows } = await office.ask(['Rent agreement']);
  const meera = sender(office, office.address, url);
  await meera.files(rows[0]!, [['Rent agreement.pdf', pdf('Rent agreement')]]);
  await meera.send(`/rows/${rows[0]}/unavailable`, { reason: 'The second page is lost' });
  const counts = async () =>
    (await services.requests.office.list(asha.actor, { state: 'all' })).map((listed) => listed.rows);
  assert.equal(await counts(), [{ total: 1, accepted: 0, received: 1, unavailable: 0, wanted: 0 }]);
  const [asked] = await services.requests.ofClient.asked(asha.actor.firmId, client);
  assert.equal([asked!.unavailable, asked!.wanted], [0, []]);
  await services.requests.office.judge(asha.actor, id, rows[0]!, accept);
  assert.equal(await counts(), [{ total: 1, accepted: 1, received: 0, unavailable: 0, wanted: 0 }]);
});

test('a client whose only document was sent back gets no receipt for nothing, which would say that nothing more is to be done', async (office) => {
  const { services, asha } = office;
  const { id, url, rows } = await office.ask(['Form 16', 'PAN card']);
  const meera = sender(office, office.address, url);
  await meera.files(rows[0]!, [['Form 16.pdf', pdf('Form 16')]]);
  await services.requests.office.judge(asha.actor, id, rows[0]!, sendBack('Part B is missing'));
  assert.is((await meera.send('/done')).get('said'), 'nothing');
  const { done, waiting_for } = await services.requests.office.view(asha.actor, id);
  assert.equal([done, waiting_for], [null, 'client']);
  assert.not((await meera.open()).receipt);

  office.advance(1000);
  await meera.files(rows[1]!, [['PAN.pdf', pdf('PAN')]]);
  await meera.send('/done');
  const { receipt } = await meera.open();
  assert.is(receipt!.files, 1);
  office.advance(1000);
  await meera.files(rows[0]!, [['Form 16.pdf', pdf('both parts')]]);
  for (const row of rows) await services.requests.office.judge(asha.actor, id, row, sendBack('Not legible'));
  await meera.send('/done');
  assert.equal((await meera.open()).receipt, receipt, 'and no other one after the first');
  const receipts = (await office.deliverMail()).filter(({ kind }) => kind === 'request.receipt');
  assert.is(receipts.length, 1);
});

test('a client who presses the button twice at once gets one receipt', async (office) => {
  const { url, rows } = await office.ask(['Form 16']);
  const meera = sender(office, office.address, url);
  await meera.files(rows[0]!, [['Form 16.pdf', pdf('Form 16')]]);
  office.tick(1);
  await Promise.all([meera.send('/done'), meera.send('/done'), meera.send('/done')]);
  assert.is((await office.db('request_receipts')).length, 1);
});

const refusal = (work: Promise<unknown>): Promise<AppError> =>
  work.then(
    () => assert.unreachable(),
    (error: AppError) => error,
  ) as Promise<AppError>;

test('a reminder that is refused is not in the history, and leaves the client’s declaration that everything is sent', async (office) => {
  const { services, asha, db } = office;
  const { office: requests } = services.requests;
  const { id, url, rows } = await office.ask(['Form 16']);
  const meera = sender(office, office.address, url);
  await meera.files(rows[0]!, [['Form 16.pdf', pdf('Form 16')]]);
  await meera.send('/done');
  const { done } = await requests.view(asha.actor, id);
  const { errors } = await refusal(requests.remind(asha.actor, id));
  assert.match(errors!['email']![0]!, 'Nothing is missing');
  assert.equal((await requests.view(asha.actor, id)).done, done);
  assert.equal(await db('audit_events').where({ did: 'request.remind' }), []);
});

test('a closed request is not reminded of and its documents are not judged, since the link in the e-mail would show nothing', async (office) => {
  const { services, asha } = office;
  const { office: requests } = services.requests;
  const { id, url, rows } = await office.ask(['Form 16', 'PAN card']);
  await sender(office, office.address, url).files(rows[0]!, [['Form 16.pdf', pdf('Form 16')]]);
  await requests.close(asha.actor, id, true);
  for (const work of [
    () => requests.remind(asha.actor, id),
    () => requests.judge(asha.actor, id, rows[0]!, sendBack('Part B is missing')),
    () => requests.judge(asha.actor, id, rows[0]!, accept),
  ]) {
    const { status, message } = await refusal(work());
    assert.equal([status, message], [404, 'This request is closed. Open it again first.']);
  }
  const kinds = (await office.deliverMail()).map(({ kind }) => kind);
  assert.equal(
    kinds.filter((kind) => kind === 'request.reminder' || kind === 'request.returned'),
    [],
  );
  await requests.close(asha.actor, id, false);
  for (const row of rows) await requests.judge(asha.actor, id, row, accept);
  assert.is((await requests.judge(asha.actor, id, rows[0]!, undo)).state, 'open', 'of a complete one it is');
});

test('a client who has a document after all, which was sent back before, is told again why it was sent back', async (office) => {
  const { services, asha } = office;
  const { office: requests } = services.requests;
  // Two of the same name, as a list of documents may have.
  const { id, url, rows } = await office.ask(['Bank statement', 'Bank statement', 'PAN card']);
  const meera = sender(office, office.address, url);
  await meera.files(rows[0]!, [['HDFC April.pdf', pdf('April')]]);
  await requests.judge(asha.actor, id, rows[0]!, sendBack('Only April is in it'));
  await requests.judge(asha.actor, id, rows[1]!, sendBack('The one of the joint account'));
  await requests.judge(asha.actor, id, rows[2]!, sendBack('Both sides'));
  await requests.judge(asha.actor, id, rows[2]!, undo);
  for (const row of rows) {
    await meera.send(`/rows/${row}/unavailable`, { reason: 'The bank is closed' });
    await meera.send(`/rows/${row}/available`);
  }
  assert.equal(await rowsOf(office, id), [
    ['returned', 'Only April is in it', []],
    ['returned', 'The one of the joint account', []],
    ['wanted', null, []],
  ]);
  const other = await office.ask(['Bank statement']);
  const again = sender(office, office.address, other.url);
  await again.send(`/rows/${other.rows[0]}/unavailable`, { reason: 'The bank is closed' });
  await again.send(`/rows/${other.rows[0]}/available`);
  assert.equal(await rowsOf(office, other.id), [['wanted', null, []]]);
});

test.run();
