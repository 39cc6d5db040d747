import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import { CONTENT_TYPE, filePart, multipart } from '#server/testing/multipart.ts';
import { bearer } from '#server/testing/visitor.ts';
import type { Office } from './testing/office.ts';
import { metadata, officeSuite } from './testing/office.ts';

const test = officeSuite('uploads of a new version of one file');

const TUS = { 'tus-resumable': '1.0.0' };
const begin = ({ visitor, token }: Office, size: number, fields: Record<string, string>) =>
  visitor.post('/api/documents/resumable', undefined, {
    headers: { ...TUS, ...bearer(token), 'upload-length': String(size), 'upload-metadata': metadata(fields) },
  });
const send = ({ visitor, token }: Office, path: string, offset: number, body: Buffer) =>
  visitor.call('PATCH', path, {
    body,
    headers: {
      ...TUS,
      ...bearer(token),
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
    },
  });
const versions = async ({ services, actor }: Office, id: number) =>
  (await services.versions.list(actor, id)).earlier.length;
const files = async ({ services, actor }: Office) =>
  (await services.documents.folder(actor, null)).items.map(({ name }) => name);
const contentOf = async ({ services, blobs, actor }: Office, id: number) =>
  buffer(await blobs.get((await services.documents.openFile(actor, id)).blob_id));

test('an upload that continues after a lost connection becomes one version of the file that it names, also when its last reply is asked for again', async (office) => {
  const { id } = await office.build.file(office.actor, { name: 'ITR.pdf', content: 'first' });
  const content = randomBytes(60_000);
  const fields = { filename: 'ITR final v2.pdf', version_of: String(id) };
  const path = (await begin(office, content.length, fields)).headers.get('location')!;
  await send(office, path, 0, content.subarray(0, 20_000));
  await office.services.documents.rename(office.actor, id, { name: 'ITR 2025.pdf' });
  const last = await send(office, path, 20_000, content.subarray(20_000));
  assert.equal([last.status, last.json.data.id, last.json.data.name], [200, id, 'ITR 2025.pdf'], last.text);
  const again = await office.visitor.get(path, { headers: { ...TUS, ...bearer(office.token) } });
  assert.is(again.json.data.id, id);
  const { earlier } = await office.services.versions.list(office.actor, id);
  for (const { json } of [last, again]) assert.is(json.data.replaced_version, earlier[0]!.id);
  assert.ok((await contentOf(office, id)).equals(content));
  assert.is(await versions(office, id), 1);
  assert.equal(await files(office), ['ITR 2025.pdf']);
});

test('the list of versions has the name under which each was uploaded where the file has another one, also after a restore, so that those of one minute are told apart', async (office) => {
  const { services, actor } = office;
  const { id } = await office.build.file(actor, { name: 'letter.txt', content: 'first' });
  for (const filename of ['letterA.txt', 'letterB.txt', 'letter.txt']) {
    const path = (await begin(office, 11, { filename, version_of: String(id) })).headers.get('location')!;
    assert.is((await send(office, path, 0, Buffer.from(filename.padEnd(11).slice(0, 11)))).status, 200);
  }
  const names = async () => {
    const { current, earlier } = await services.versions.list(actor, id);
    return [current, ...earlier].map(({ uploaded_as }) => uploaded_as);
  };
  assert.equal(await names(), [null, 'letterB.txt', 'letterA.txt', null]);
  const { earlier } = await services.versions.list(actor, id);
  await services.versions.restore(actor, { item: id, version: earlier[1]!.id! });
  assert.equal(await names(), ['letterA.txt', null, 'letterB.txt', 'letterA.txt', null]);
});

test('an upload whose file is deleted meanwhile is refused with who did it, makes no file, and keeps no bytes once cancelled', async (office) => {
  const { id } = await office.build.file(office.actor, { name: 'ITR.pdf', content: 'first' });
  const content = randomBytes(5000);
  const fields = { filename: 'v2.pdf', version_of: String(id) };
  const path = (await begin(office, content.length, fields)).headers.get('location')!;
  await office.services.documents.remove(office.actor, [id]);
  const last = await send(office, path, 0, content);
  assert.equal([last.status, last.json.code], [422, 'gone'], last.text);
  assert.match(last.json.message, /^Deleted by Asha Rao a moment ago\. The new version was not saved\./);
  assert.equal(await files(office), []);
  const headers = { ...TUS, ...bearer(office.token) };
  assert.is((await office.visitor.call('DELETE', path, { headers })).status, 204);
  assert.equal(await office.db('storage_reservations'), []);
});

test('a version that could not be saved is refused before a byte of it is sent, in one request and in several', async (office) => {
  const { id } = await office.build.file(office.actor, { name: 'ITR.pdf', content: 'first' });
  const fields = { filename: 'ITR.xlsx', version_of: String(id) };
  const several = await begin(office, 9, fields);
  assert.equal([several.status, several.json.code], [422, 'other_type']);
  const form = async (name: string) =>
    office.visitor.post(
      '/api/documents/upload',
      multipart([{ name: 'version_of', body: String(id) }, filePart(name, 'x')]),
      {
        headers: { 'content-type': CONTENT_TYPE, ...bearer(office.token) },
      },
    );
  assert.is((await form('ITR.xlsx')).json.code, 'other_type');
  const saved = await form('copy.pdf');
  assert.equal([saved.status, saved.json.data.id], [201, id], saved.text);
  assert.is(await versions(office, id), 1);
});

test.run();
