import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';

const test = suite<World>('the clients of what is moved');
test.before.each(async (world) => void Object.assign(world, await freshWorld()));
test.after.each((world) => world.close());

async function twoClients({ build, services }: World) {
  const actor = await build.actor();
  const [sharma, meera] = [
    await build.client(actor, 'Sharma Traders'),
    await build.client(actor, 'Meera Iyer'),
  ];
  const folderOf = async (name: string, client_id: number) => {
    const folder = await build.folder(actor, name);
    await services.documents.setClient(actor, folder.id, { client_id });
    return folder.id;
  };
  const [from, to] = [await folderOf('Sharma', sharma), await folderOf('Meera', meera)];
  const bill = await build.file(actor, { name: 'Bill.pdf', parent_id: from, client_id: sharma });
  return { actor, sharma, meera, from, to, bill };
}

test('before a move it can be said to whom its items will belong, exactly as the move then makes it', async (world) => {
  const { build, services } = world;
  const { documents } = services;
  const { actor, sharma, meera, from, to, bill } = await twoClients(world);
  const loose = await build.file(actor, { name: 'Loose.pdf' });
  const ownOfNobodys = await build.file(actor, { name: 'Own.pdf', client_id: sharma });
  const hers = await build.file(actor, { name: 'Hers.pdf', client_id: meera });
  const inner = await build.folder(actor, 'FY', from);
  await build.file(actor, { name: 'Along.pdf', parent_id: inner.id });
  await build.file(actor, { name: 'Also hers.pdf', parent_id: inner.id, client_id: meera });
  const below = await build.folder(actor, 'Notices', inner.id);
  const gupta = await build.client(actor, 'Gupta Agencies');
  const his = await build.folder(actor, 'His', below.id);
  await services.documents.setClient(actor, his.id, { client_id: gupta });
  const inHis = await build.file(actor, { name: 'In his.pdf', parent_id: his.id });
  const ids = [bill.id, loose.id, ownOfNobodys.id, hers.id, inner.id];
  const staying = { count: 1, clients: ['Sharma Traders'] };
  const inside = { count: 1, clients: ['Gupta Agencies'], more: false };
  const expected = { to: 'Meera Iyer', from: ['Sharma Traders'], count: 3, staying, inside };
  assert.equal(await documents.previewMove(actor, { ids, parent_id: to }), expected);
  assert.equal((await documents.previewMove(actor, { ids: [loose.id], parent_id: to })).from, []);
  assert.is((await documents.previewMove(actor, { ids: [bill.id], parent_id: from })).count, 0);
  for (const parent_id of [null, 999_999])
    assert.equal(await documents.previewMove(actor, { ids, parent_id }), {
      to: null,
      from: [],
      count: 0,
      staying: { count: 0, clients: [] },
      inside: { count: 0, clients: [], more: false },
    });
  const { former } = await documents.move(actor, { ids, parent_id: to });
  const changed = new Set(former.map(({ id }) => id));
  assert.ok([bill.id, loose.id, inner.id, below.id].every((id) => changed.has(id)));
  assert.not.ok([ownOfNobodys.id, hers.id, his.id, inHis.id].some((id) => changed.has(id)));
});

test('an item that a legal hold keeps with its client is refused before anybody asks about its taken name', async (world) => {
  const { build, services } = world;
  const { documents } = services;
  const { actor, sharma, from, to, bill } = await twoClients(world);
  const inner = await build.folder(actor, 'FY', from);
  const own = await build.file(actor, { name: 'Own.pdf', client_id: sharma });
  for (const name of ['Bill.pdf', 'Own.pdf']) await build.file(actor, { name, parent_id: to });
  await build.folder(actor, 'FY', to);
  const request = { ids: [bill.id, inner.id, own.id], parent_id: to };
  const codes = async () => (await documents.move(actor, request)).failed.map(({ id, code }) => [id, code]);
  const asked = request.ids.map((id) => [id, 'taken']);
  assert.equal(await codes(), asked);
  await services.holds.place(actor, sharma, { reason: 'Notice' });
  assert.equal(await codes(), [
    [bill.id, 'held'],
    [inner.id, 'held'],
    [own.id, 'taken'],
  ]);
  const kept = await documents.move(actor, { ids: [own.id], parent_id: to, conflicts: 'keep' });
  assert.equal(kept.done, [own.id], 'what keeps its client may be moved');
  await build.file(actor, { name: 'Bill.pdf' });
  const out = await documents.move(actor, { ids: [bill.id], parent_id: null });
  assert.is(out.failed[0]!.code, 'taken', 'in a folder of nobody it stays with its client');
});

test.run();
