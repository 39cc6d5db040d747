import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import { lockedPdf } from '../testing/locked.ts';
import { readAll } from '../testing/office.ts';

interface Office extends World {
  actor: Actor;
  /** An AIS that its portal locked with the PAN and the date of birth below. */
  ais: Buffer;
}

const MEERA = { pan: 'ZZZPS0000A', born_on: '1990-04-07' };

const test = suite<Office>('locked PDFs whose password becomes known');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld({ reading: true }));
  office.actor = await office.build.actor();
  office.ais = lockedPdf('zzzps0000a07041990', [
    'Annual Information Statement (AIS)  Financial Year 2024-25',
    'Permanent Account Number (PAN): ZZZPS0000A   Name of Assessee: MEERA SHARMA',
  ]);
});
test.after.each((office) => office.close());

const stateOf = async ({ services, actor }: Office, id: number) => {
  const { state, reason } = await services.reading.state(actor, id);
  return reason ? `${state} ${reason}` : state;
};
/** Reads all that waits. @returns the state of a file then. */
async function afterReading(office: Office, id: number): Promise<string> {
  await readAll(office);
  return stateOf(office, id);
}
const folder = async ({ services, actor }: Office, name: string, client_id: number | null = null) =>
  (await services.documents.createFolder(actor, { name, parent_id: null, client_id })).id;

test('a locked AIS is read, found and shown once it gets the client whose PAN and date of birth open it', async (office) => {
  const { services, actor, build, ais } = office;
  const meera = await build.client(actor, 'Meera Sharma', MEERA);
  const other = await build.client(actor, 'Anil Rao');
  const { id } = await build.file(actor, { name: 'AIS.pdf', content: ais });
  assert.is(await services.previews.thumbnail(actor, id), null);
  assert.is(await afterReading(office, id), 'refused locked');
  await services.documents.setClient(actor, id, { client_id: other, contents: 'unlinked' });
  assert.is(await afterReading(office, id), 'refused locked', 'the password is not that of this client');
  await services.documents.setClient(actor, id, { client_id: meera, contents: 'unlinked' });
  assert.is(await stateOf(office, id), 'waiting');
  assert.is(await afterReading(office, id), 'read');
  const { hits } = await services.search.findInside(actor, 'assessee');
  assert.equal(
    hits.map(({ item }) => item.id),
    [id],
  );
  assert.is((await services.fields.view(actor, id)).type.value, 'ais');
  assert.ok(await services.previews.thumbnail(actor, id), 'it has a picture now');
});

test('a locked PDF is read once its folder is linked, it is moved into a folder of the client, or it is added once more there', async (office) => {
  const { services, actor, build, ais } = office;
  const meera = await build.client(actor, 'Meera Sharma', MEERA);
  const [loose, moved] = [await folder(office, 'From e-mail'), await folder(office, 'Of Meera', meera)];
  const inside = (await build.file(actor, { name: 'AIS.pdf', content: ais, parent_id: loose })).id;
  assert.is(await afterReading(office, inside), 'refused locked');
  await services.documents.setClient(actor, loose, { client_id: meera, contents: 'all' });
  assert.is(await afterReading(office, inside), 'read');

  const tis = lockedPdf('ZZZPS0000A', ['Taxpayer Information Summary']);
  const { id } = await build.file(actor, { name: 'TIS.pdf', content: tis });
  assert.is(await afterReading(office, id), 'refused locked');
  await services.documents.move(actor, { ids: [id], parent_id: moved });
  assert.is(await afterReading(office, id), 'read');

  const form = lockedPdf('07041990', ['Annual Tax Statement']);
  const first = await build.file(actor, { name: 'scan.pdf', content: form });
  assert.is(await afterReading(office, first.id), 'refused locked');
  await build.file(actor, { name: '26AS.pdf', content: form, client_id: meera });
  assert.is(await afterReading(office, first.id), 'read', 'the same content lies with the client too');
});

test('a locked PDF is read once the form or an import gives its client the PAN and the date of birth', async (office) => {
  const { services, actor, build, ais } = office;
  const meera = await build.client(actor, 'Meera Sharma', { pan: MEERA.pan });
  const { id } = await build.file(actor, { name: 'AIS.pdf', content: ais, client_id: meera });
  const others = await build.file(actor, { name: 'x.pdf', content: lockedPdf('x', ['Other']) });
  assert.is(await afterReading(office, id), 'refused locked');
  await services.clients.update(actor, meera, { phone: '9000000001' });
  assert.is(await stateOf(office, id), 'refused locked', 'a phone number opens nothing');
  await services.clients.update(actor, meera, { born_on: MEERA.born_on });
  assert.equal(
    [await stateOf(office, id), await stateOf(office, others.id)],
    ['waiting', 'refused locked'],
    'another document is not tried again',
  );
  assert.is(await afterReading(office, id), 'read');

  const anil = await build.client(actor, 'Anil Rao', { pan: 'AAAPR1234C' });
  const content = lockedPdf('aaapr1234c01051985', ['Statement of Anil']);
  const his = (await build.file(actor, { name: 'his.pdf', content, client_id: anil })).id;
  assert.is(await afterReading(office, his), 'refused locked');
  const list = Buffer.from('Name,PAN,Date of birth\nAnil Rao,AAAPR1234C,01/05/1985\n');
  const { updated } = await services.clients.import.run(actor, list, ['name', 'pan', 'born_on']);
  assert.is(updated, 1);
  assert.is(await afterReading(office, his), 'read');
});

test('a joint statement in the folders of two clients is read with the password of either', async (office) => {
  const { services, actor, build } = office;
  const anil = await build.client(actor, 'Anil Sharma', { pan: 'AAAPR1234C' });
  const meera = await build.client(actor, 'Meera Sharma', MEERA);
  const content = lockedPdf('07041990', ['Statement of a joint account']);
  const { id } = await build.file(actor, { name: 'joint.pdf', content, client_id: anil });
  assert.is(await afterReading(office, id), 'refused locked');
  const hers = await build.file(actor, { name: 'joint of Meera.pdf', content });
  await services.documents.setClient(actor, hers.id, { client_id: meera, contents: 'unlinked' });
  assert.is(await afterReading(office, id), 'read');
});

test('a password that is remembered for a client opens also the documents that the client has already', async (office) => {
  const { services, actor, build } = office;
  const client_id = await build.client(actor, 'Meera Sharma');
  const put = (name: string) =>
    build.file(actor, { name, content: lockedPdf('HDFC@4410', [`Statement ${name}`]), client_id });
  const [april, may] = [await put('april.pdf'), await put('may.pdf')];
  assert.is(await afterReading(office, may.id), 'refused locked');
  await services.unlocking.unlock(actor, april.id, { password: 'HDFC@4410', remember: true });
  assert.is(await afterReading(office, may.id), 'read');
});

test.run();
