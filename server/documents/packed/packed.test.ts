import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bearer } from '#server/testing/visitor.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import type { FolderListing } from '../contract.ts';
import { pack, unpack } from './contract.ts';

const test = suite<World>('packed listings');
test.before.each(async (world) => void Object.assign(world, await freshWorld()));
test.after.each((world) => world.close());

const answered = async <T>(url: string, token: string): Promise<{ data: T; length: number }> => {
  const text = await (await fetch(url, { headers: bearer(token) })).text();
  return { data: (JSON.parse(text) as { data: T }).data, length: text.length };
};

test('unpacked, a listing says all that the specified call says, of folders, clients, labels, seals and finds', async ({
  build,
  services,
  serve,
}) => {
  const { actor, token } = await build.account();
  const client_id = await build.client(actor, 'Sharma Traders');
  const folder = await build.folder(actor, 'Returns');
  await build.file(actor, { name: 'in.pdf', parent_id: folder.id, client_id });
  await build.file(actor, { name: 'a.txt', content: 'abc' });
  await build.file(actor, { name: 'a.txt', content: 'abcd', conflict: 'replace' });
  const sealed = await build.file(actor, { name: 'b.xlsx', client_id });
  await services.seals.seal(actor, sealed.id, { reason: 'For the audit' });
  const label = await services.labels.create(actor, { name: 'Urgent', colour: 'red' });
  await services.labels.put(actor, { ids: [folder.id], add: [label.id], remove: [] });
  const url = `${await serve()}/api/documents`;
  for (const query of ['?', `?parent_id=${folder.id}`, '?search=in', `?client_id=${client_id}`, '?limit=1']) {
    const { data: plain } = await answered<FolderListing>(url + query, token);
    const { data } = await answered<Parameters<typeof unpack>[0]>(`${url}${query}&form=packed`, token);
    assert.ok(plain.items.length > 0, query);
    assert.equal(unpack(data), plain, query);
  }
});

test('moments that are written otherwise, and what a view says besides, come through as they are', async ({
  build,
  services,
}) => {
  const actor = await build.actor();
  await build.file(actor, { name: 'a.txt' });
  const listing = await services.documents.folder(actor, null);
  const [item] = listing.items;
  const odd = {
    ...listing,
    items: [
      { ...item!, created_at: '2026-04-01', uploaded_at: '2026-04-01', original_at: 'once' },
      { ...item!, modified_at: '2026-04-01T00:00:00Z', found: true },
    ],
  };
  assert.equal(unpack(JSON.parse(JSON.stringify(pack(odd)))), odd);
});

test('ten thousand packed rows take at most 1.5 MB', async ({ build, services }) => {
  const actor = await build.actor();
  await build.file(actor, { name: 'a.pdf' });
  const listing = await services.documents.folder(actor, null);
  const items = Array.from({ length: 10_000 }, (_, index) => ({
    ...listing.items[0]!,
    id: 1_000_000 + index,
    name: `Statement of account ${index} for 2026-27.pdf`,
    file_size: 1000 + index * 7919,
  }));
  const plain = JSON.stringify({ ...listing, items }).length;
  const packed = JSON.stringify(pack({ ...listing, items })).length;
  assert.ok(packed <= 1_500_000, `${packed} bytes`);
  assert.ok(packed < plain / 3, `${packed} of ${plain}`);
});

test.run();
