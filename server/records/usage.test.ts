import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import { mendScopeUsage, recountScopeUsage } from './scope-usage.ts';

const test = suite<World & { actor: Actor }>('the totals of a firm');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld());
  office.actor = await office.build.actor();
});
test.after.each((office) => office.close());

test('rows are counted whichever code writes them, so that none can miss the quota', async ({
  db,
  build,
  actor,
  services: { documents, records },
}) => {
  const sharma = await build.client(actor, 'Sharma');
  const folder = await build.folder(actor, 'Returns');
  const bill = await build.file(actor, { name: 'Bill.pdf', content: '12345', parent_id: folder.id });
  await build.file(actor, { name: 'Scan.jpg', content: '123', parent_id: folder.id });
  const pdf = async () => (await documents.totals(actor)).find(({ file_type }) => file_type === 'pdf');
  await db('item_rows').where({ id: bill.id }).update({ file_size: 8 });
  assert.equal(await pdf(), { file_type: 'pdf', files: 1, bytes: 8 });
  await documents.setClient(actor, folder.id, { client_id: sharma });
  assert.is(await records.used(actor.firmId), 11);
  await db('item_rows').where({ id: bill.id }).delete();
  assert.is(await pdf(), undefined);
  assert.is(await records.used(actor.firmId), 3);
  assert.equal([await records.recount(), await recountScopeUsage(db)], [[], []]);
});

test('counting the files of clients anew leaves the totals of the firm as they are', async ({
  db,
  build,
  actor,
  services: { records },
}) => {
  await build.file(actor, { name: 'Bill.pdf', content: '12345' });
  await db.transaction((trx) => mendScopeUsage(trx));
  assert.is(await records.used(actor.firmId), 5);
  assert.equal(await records.recount(), []);
});

test.run();
