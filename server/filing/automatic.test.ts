import * as assert from 'uvu/assert';
import { FORM_16, recognise } from '#server/fields/testing/recognised.ts';
import { assign, colleague } from '#server/testing/colleague.ts';
import type { Office } from './testing/office.ts';
import { filingSuite, pan, scan, withFields } from './testing/office.ts';

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

test.run();
