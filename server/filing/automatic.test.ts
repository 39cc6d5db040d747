import * as assert from 'uvu/assert';
import { FORM_16, field, recognise } from '#server/fields/testing/recognised.ts';
import { recognise as recogniseText } from '#server/recognition/recognise.ts';
import { assign, colleague } from '#server/testing/colleague.ts';
import type { Office } from './testing/office.ts';
import { filingSuite, pan, scan, suggested, withFields } from './testing/office.ts';

const test = filingSuite('what an inbox files by itself');

/** An automatic inbox of a client, and a colleague who sees only that client. */
async function inboxOfOne(office: Office) {
  const { services, actor, build } = office;
  office.count += 1;
  const other = await build.client(actor, `Other ${office.count}`);
  const { documents, filing } = services;
  const inbox = await documents.createFolder(actor, {
    name: `Inbox ${office.count}`,
    parent_id: null,
    client_id: other,
  });
  await filing.setInbox(actor, inbox.id, { inbox: true, by_itself: true });
  const person = await colleague(office, actor, { permissions: ['documents.read', 'documents.write'] });
  await assign(office, person, [other]);
  return { inbox: inbox.id, person };
}

test('a document goes only to where its uploader too sees it, since its place would tell them whose number is whose', async (office) => {
  const { services, actor, build } = office;
  const { inbox, person } = await inboxOfOne(office);
  const put = async (name: string, recognised: typeof FORM_16) => {
    const { id } = await build.file(person, { name, content: name, parent_id: inbox });
    await recognise(office, id, recognised);
    return id;
  };
  const guess = await put('guess.pdf', FORM_16);
  const nobodys = await put('nobodys.pdf', withFields(pan('employee_pan', 'CCCPZ2222C')));
  const work = () => services.filing.work(new AbortController().signal);
  assert.is(await work(), 0);
  for (const id of [guess, nobodys])
    assert.is((await services.documents.item(person, id)).parent_id, inbox, 'both wait for somebody');

  const own = await scan(office, FORM_16, { parent_id: inbox });
  assert.is(await work(), 1);
  assert.match((await services.documents.item(actor, own)).path!, /^Sharma Traders/);
});

test('a document whose content somebody else has replaced goes by what that person sees', async (office) => {
  const { services, actor, build } = office;
  const { inbox, person } = await inboxOfOne(office);
  const put = { name: 'scan.pdf', parent_id: inbox };
  const { id } = await build.file(actor, { ...put, content: 'first' });
  await build.file(person, { ...put, content: 'other', conflict: 'replace' });
  await recognise(office, id, FORM_16);
  assert.is(await services.filing.work(new AbortController().signal), 0);
  assert.is((await services.documents.item(person, id)).parent_id, inbox);
});

const AIS = `Annual Information Statement (AIS)
Financial Year 2024-25
Part A - General Information
Permanent Account Number (PAN): BBBPK0002B
Name of Assessee: SUNITA KULKARNI
Part B1 - Information relating to tax deducted or collected at source
SR. NO.   INFORMATION CODE   INFORMATION DESCRIPTION   INFORMATION SOURCE   COUNT   AMOUNT
1   TDS-192   Salary received (Section 192)   SHARMA STEEL PRIVATE LIMITED (PNES12345A)   12   9,60,000`;

const read = (text: string) => recogniseText([{ page: 1, label: '', text }], { fileType: 'pdf' });

test('the AIS of an employee waits in the inbox, or a stranger’s papers would lie among those of the employer in it', async (office) => {
  const { services, actor, build, sharma } = office;
  await build.client(actor, 'Sharma Steel Private Limited', { pan: 'AAACS1234C', tan: 'PNES12345A' });
  const inbox = (await build.folder(actor, 'Inbox of an AIS')).id;
  await services.filing.setInbox(actor, inbox, { inbox: true, by_itself: true });
  const strangers = await scan(office, read(AIS), { parent_id: inbox });
  const own = await scan(office, read(AIS.replace('BBBPK0002B', 'AAAPZ0000A')), { parent_id: inbox });
  assert.is(await services.filing.work(new AbortController().signal), 1);
  assert.is((await services.documents.item(actor, own)).client_id, sharma, 'the taxpayer is a client');
  assert.is((await services.documents.item(actor, strangers)).parent_id, inbox);
  const { client, doubts, new_client } = await suggested(office, strangers);
  assert.equal(
    [client, doubts, new_client],
    [null, ['no_client'], { name: 'SUNITA KULKARNI', pan: 'BBBPK0002B', gstin: '' }],
  );
});

test('a Form 16 is certain for the employer only among the employer’s own papers, since an employee may have brought it', async (office) => {
  const { actor, build, sharma } = office;
  const employer = await build.client(actor, 'Desai Mills Private Limited', { tan: 'MUMD23456B' });
  const form = withFields(
    field('employee_name', 'Sunita Kulkarni'),
    pan('employee_pan', 'BBBPK0002B'),
    pan('employer_tan', 'MUMD23456B'),
  );
  const brought = await suggested(office, await scan(office, form));
  assert.equal(
    [brought.client?.id, brought.clients[0]!.by, brought.doubts, brought.new_client?.name],
    [employer, 'issuer', ['issuer'], 'Sunita Kulkarni'],
  );
  const copy = await suggested(office, await scan(office, form, { client_id: employer }));
  assert.equal([copy.client?.id, copy.sure], [employer, true]);
  const elsewhere = await suggested(office, await scan(office, form, { client_id: sharma }));
  assert.equal([elsewhere.client?.id, elsewhere.doubts], [sharma, ['issuer']], 'it stays with its client');
});

test('a new client gets no GSTIN whose check digit is wrong, nor one that the document does not have', async (office) => {
  const text = 'Form GSTR-3B\n[See rule 61(5)]\nYear: 2025-26\nGSTIN of the supplier: 29AAPFK4321M1ZB';
  const { new_client } = await suggested(
    office,
    await scan(office, read(`${text}\nLegal name of the registered person: KUMAR STORES`)),
  );
  assert.equal(new_client, { name: 'KUMAR STORES', pan: '', gstin: '' });
});

test.run();
