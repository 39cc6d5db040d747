import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import * as assert from 'uvu/assert';
import type { TestResponse } from '#server/testing/visitor.ts';
import { bearer } from '#server/testing/visitor.ts';
import type { Office } from './testing/office.ts';
import { metadata, officeSuite } from './testing/office.ts';

const test = officeSuite('a resumable upload whose target changes');

const TUS = { 'tus-resumable': '1.0.0' };
const SIZE = 1000;
const BYTES = randomBytes(SIZE);
const folder = async ({ services, actor }: Office, name: string) =>
  (await services.documents.createFolder(actor, { name, parent_id: null, client_id: null })).id;
const post = (
  { visitor, token }: Office,
  upload_key: string,
  fields: Record<string, string>,
  { size = SIZE } = {},
): Promise<TestResponse> =>
  visitor.post('/api/documents/resumable', undefined, {
    headers: {
      ...TUS,
      ...bearer(token),
      'upload-length': String(size),
      'upload-metadata': metadata({ filename: 'Ledger.pdf', upload_key, ...fields }),
    },
  });
const send = ({ visitor, token }: Office, url: string, start: number, end: number) =>
  visitor.call('PATCH', url, {
    body: BYTES.subarray(start, end),
    headers: {
      ...TUS,
      ...bearer(token),
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(start),
    },
  });

test('a file arrives where the last request with its key said, not where the first one did', async (office) => {
  const [before, now] = [await folder(office, 'Client A'), await folder(office, 'Client B')];
  const key = randomUUID();
  const url = (await post(office, key, { parent_id: String(before) })).headers.get('location')!;
  await send(office, url, 0, 400);
  const again = await post(office, key, { parent_id: String(now), path: 'Scans' });
  assert.equal([again.status, again.headers.get('location')], [201, url]);
  const { status, json } = await send(office, url, 400, SIZE);
  assert.is(status, 200);
  assert.is((await office.services.documents.item(office.actor, json.data.id)).path, 'Client B / Scans');
});

test('a part for a folder that was deleted is refused before its bytes, and what had arrived can still go to another one', async (office) => {
  const [before, now] = [await folder(office, 'Client A'), await folder(office, 'Client B')];
  const key = randomUUID();
  const url = (await post(office, key, { parent_id: String(before) })).headers.get('location')!;
  await send(office, url, 0, 400);
  await office.services.documents.remove(office.actor, [before]);
  const refused = await send(office, url, 400, 700);
  assert.equal([refused.status, Object.keys(refused.json.errors)], [422, ['parent_id']]);
  const { received } = await office.services.resumable.progress(office.actor, url.split('/').at(-1)!);
  assert.is(received, 400, 'the part was not stored');
  const still = await post(office, key, { parent_id: String(before) });
  assert.equal([still.status, Object.keys(still.json.errors)], [422, ['parent_id']]);
  const again = await post(office, key, { parent_id: String(now) });
  assert.equal([again.status, again.headers.get('location')], [201, url]);
  const { status, json } = await send(office, url, 400, SIZE);
  assert.equal([status, json.data.parent_id], [200, now]);
});

test('an upload whose folder is deleted with its last bytes on their way can still arrive in another one', async (office) => {
  const [before, now] = [await folder(office, 'Client A'), await folder(office, 'Client B')];
  const key = randomUUID();
  const url = (await post(office, key, { parent_id: String(before) })).headers.get('location')!;
  await office.services.resumable.append(
    office.actor,
    url.split('/').at(-1)!,
    0,
    Readable.from([Buffer.from(BYTES)]),
  );
  await office.services.documents.remove(office.actor, [before]);
  const { status, json } = await post(office, key, { parent_id: String(now) });
  assert.equal([status, json.data.parent_id], [200, now]);
});

test('what has arrived stays where it is, and an upload of most of the storage is not counted twice', async (office) => {
  const other = String(await folder(office, 'Client B'));
  const key = randomUUID();
  const url = (await post(office, key, {})).headers.get('location')!;
  const { json } = await send(office, url, 0, SIZE);
  const again = await post(office, key, { parent_id: other });
  assert.equal([again.status, again.json.data.id, again.json.data.parent_id], [200, json.data.id, null]);
  const large = randomUUID();
  const most = { size: 600 * 1024 ** 2 };
  assert.is((await post(office, large, {}, most)).status, 201);
  assert.is((await post(office, large, { parent_id: other }, most)).status, 201);
});

test.run();
