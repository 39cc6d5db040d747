import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Part } from '#server/testing/multipart.ts';
import { CONTENT_TYPE, multipart } from '#server/testing/multipart.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import { storePdf } from './photos-to-pdf.ts';

interface Office extends World {
  address: string;
  asha: Awaited<ReturnType<World['build']['account']>>;
}

const test = suite<Office>('POST /api/documents/pages');
test.before(async (office) => {
  Object.assign(office, await freshWorld());
  office.asha = await office.build.account();
  office.address = await office.serve();
});
test.after((office) => office.services.collecting.stop());
test.after((office) => office.close());

const photo = async (width: number, height: number): Promise<Buffer> => {
  const { default: sharp } = await import('sharp');
  return sharp({ create: { width, height, channels: 3, background: '#ddd' } })
    .jpeg()
    .toBuffer();
};
const page = (body: Buffer | string): Part => ({
  name: 'page',
  filename: 'photo.jpg',
  type: 'image/jpeg',
  body,
});
const fields = (said: Record<string, string>): Part[] =>
  Object.entries(said).map(([name, body]) => ({ name, body }));

async function send({ address, asha }: Office, parts: Part[], token = asha.token) {
  const response = await fetch(`${address}/api/documents/pages`, {
    method: 'POST',
    body: multipart(parts),
    headers: { 'Content-Type': CONTENT_TYPE, Authorization: `Bearer ${token}` },
  });
  // eslint-disable-next-line typescript/no-explicit-any -- looked at field by field below
  return { status: response.status, json: (await response.json()) as any };
}

async function kept({ blobs }: Office): Promise<number> {
  let count = 0;
  for await (const _ of blobs.list()) count += 1;
  return count;
}

test('pictures become one PDF in their order, each rotated as requested, in the chosen folder and for the chosen client', async (office) => {
  const { asha, build, blobs, db, services } = office;
  const folder = await build.folder(asha.actor, 'Bills');
  const client = await build.client(asha.actor, 'Sharma Traders');
  const said = { name: 'Bill 12', parent_id: String(folder.id), client_id: String(client), turns: '0,90' };
  const { status, json } = await send(office, [
    ...fields(said),
    page(await photo(300, 400)),
    page(await photo(300, 400)),
  ]);
  assert.is(status, 201, json.message);
  assert.is(json.data.name, 'Bill 12.pdf');
  assert.is(json.data.parent_id, folder.id);
  assert.is(json.data.client.id, client);
  const { blob_id } = await db('items').where({ id: json.data.id }).first('blob_id');
  const chunks: Buffer[] = [];
  for await (const chunk of await blobs.get(blob_id)) chunks.push(chunk as Buffer);
  const sizes = [
    ...Buffer.concat(chunks)
      .toString('latin1')
      .matchAll(/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g),
  ];
  assert.equal(
    sizes.map(([, width, height]) => Number(width) > Number(height)),
    [false, true],
    'the second page lies on its side',
  );
  assert.is(await kept(office), 1, 'the pictures themselves are not kept');
  assert.equal(await services.records.recount(), []);
});

test('a picture that cannot be read is named by its position, and no picture is stored, since the phone still has them all', async (office) => {
  const before = await kept(office);
  const { status, json } = await send(office, [
    ...fields({ name: 'Bill' }),
    page(await photo(30, 40)),
    page('no picture'),
  ]);
  assert.is(status, 422);
  assert.is(json.message, 'Picture 2 cannot be read. Take it again, or leave it out.');
  assert.is(await kept(office), before);
});

test('pictures that a phone sends again with the same key, because the response was lost, are not saved as a second PDF', async (office) => {
  const { asha, db, services } = office;
  const parts = [
    ...fields({ name: 'Rent agreement', upload_key: '0b0e7a0e-5f60-4b7e-9a53-6c1d2f3a4b5c' }),
    page(await photo(30, 40)),
  ];
  const first = await send(office, parts);
  assert.is(first.status, 201, first.json.message);
  const again = await send(office, parts);
  assert.is(again.status, 201, again.json.message);
  assert.is(again.json.data.id, first.json.data.id);
  assert.is((await db('items').where('name', 'like', 'Rent agreement%')).length, 1);
  const other = await send(office, [
    ...fields({ name: 'Rent agreement', upload_key: '1b0e7a0e-5f60-4b7e-9a53-6c1d2f3a4b5c' }),
    page(await photo(30, 40)),
  ]);
  assert.is(other.json.data.name, 'Rent agreement (2).pdf');
  await services.documents.remove(asha.actor, [first.json.data.id]);
  const afterwards = await send(office, parts);
  assert.is(afterwards.json.data.name, 'Rent agreement.pdf', 'a PDF that was deleted is saved anew');
  assert.equal(await services.records.recount(), []);
});

test('missing and excess pictures are reported before a PDF is made', async (office) => {
  const before = await kept(office);
  const picture = await photo(8, 8);
  const none = await send(office, fields({ name: 'Bill' }));
  assert.is(none.json.message, 'Take or choose at least one picture.');
  const unnamed = await send(office, [...fields({ name: ' ' }), page(picture)]);
  assert.is(unnamed.json.message, 'Please enter a name');
  const many = await send(office, [
    ...fields({ name: 'Bill' }),
    ...Array.from({ length: 51 }, () => page(picture)),
  ]);
  assert.match(many.json.message, 'A PDF can be made of 50 pictures at most');
  const oblique = await send(office, [...fields({ name: 'Bill', turns: '45' }), page(picture)]);
  assert.is(oblique.status, 422);
  await office.db('storage_reservations').insert({
    firm_id: office.asha.actor.firmId,
    bytes: 1e15,
    lasting: true,
    made_at: office.now().toISOString(),
  });
  const full = await send(office, [...fields({ name: 'Bill' }), page(picture)]);
  assert.is(full.json.code, 'quota_exceeded');
  assert.is(await kept(office), before);
});

test('a malformed picture from the sandbox ends the unfinished PDF, since the store would wait for the rest forever', async ({
  blobs,
}) => {
  let isEnded = false;
  const put: typeof blobs.put = (...call) => blobs.put(...call).finally(() => (isEnded = true));
  const malformed = { picture: Buffer.from('no picture'), width: 3, height: 4 };
  await storePdf({ put }, 'Bill', [malformed]).then(
    () => assert.unreachable('it was stored'),
    (error: Error) => assert.match(error.message, 'Unknown image format'),
  );
  assert.ok(isEnded);
});

test.run();
