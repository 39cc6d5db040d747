import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { rejects } from '#server/testing/rejects.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import { MAX_INLINE } from '../changes/link-contents.ts';
import { LINK_CONTENTS } from '../changes/link-jobs.ts';
import type { RuleInput } from './contract.ts';

interface Office extends World {
  admin: Actor;
  staff: Actor;
}

const test = suite<Office>('ways out of a retention rule');
test.before.each(async (world) => {
  Object.assign(world, await freshWorld({ trashDays: 30 }));
  const admin = await world.build.actor();
  Object.assign(world, { admin, staff: (await world.build.colleague(admin)).actor });
});
test.after.each((world) => world.close());

const rule = (more: Partial<RuleInput>): RuleInput => ({
  name: 'Books of account',
  source: '',
  applies_to: 'everything',
  months: 96,
  counts_from: 'year_end',
  ...more,
});
const COMPANIES = rule({ applies_to: 'client_type', client_type: 'Company' });

/** A folder of nobody's with the books of a company, deep inside, and a file of nobody's. */
async function mixedFolder({ build, services, admin }: Office) {
  const company = await build.client(admin, 'Mehta Ltd', { client_type: 'Company' });
  const person = await build.client(admin, 'Meera');
  const top = await build.folder(admin, 'Mixed');
  const deep = await build.folder(admin, 'Deep', top.id);
  const books = await build.file(admin, { name: 'Books.xlsx', parent_id: deep.id, client_id: company });
  const free = await build.file(admin, { name: 'free.pdf', parent_id: top.id });
  await services.retention.add(admin, COMPANIES);
  return { company, person, top, books, free };
}

test('a folder that takes other clients’ documents along to its client takes none out from under a rule, except for users who manage retention', async (world) => {
  const { services, admin, staff } = world;
  const { documents, retention } = services;
  const { company, person, top, books } = await mixedFolder(world);
  for (const client_id of [person, null]) {
    const request = { client_id, contents: 'all' as const };
    for (const attempt of [
      () => documents.setClient(staff, top.id, request),
      () => documents.setClientOfMany(staff, { ids: [top.id], ...request }),
    ])
      assert.is((await rejects(attempt(), 422)).code, 'kept');
  }
  assert.equal(
    [(await documents.item(admin, books.id)).client_id, (await documents.item(admin, top.id)).client_id],
    [company, null],
    'nothing is done by half',
  );
  assert.is((await retention.of(staff, books.id)).rules.length, 1);
  await documents.setClient(staff, top.id, { client_id: person, contents: 'unlinked' });
  assert.is((await documents.item(admin, books.id)).client_id, company);
  await documents.setClient(admin, top.id, { client_id: person, contents: 'all' });
  assert.is((await documents.item(admin, books.id)).client_id, person);
});

test('the same holds for a folder so large that its contents follow in the background: kept documents stay behind, the others follow', async (world) => {
  const { services, admin, staff, db } = world;
  const { company, person, top, books, free } = await mixedFolder(world);
  const { owner_id, firm_id, created_at } = await db('item_rows').where({ id: top.id }).first();
  const row = { owner_id, firm_id, created_at, modified_at: created_at, parent_id: top.id, type: 'file' };
  const rows = Array.from({ length: MAX_INLINE + 10 }, (_, n) => {
    const name = `${n}.pdf`;
    return { ...row, name, name_key: name, sort_key: name, file_type: 'pdf', file_size: 1 };
  });
  await db.batchInsert('item_rows', rows, 50);
  const clientsOf = () => db('items').whereIn('id', [books.id, free.id]).orderBy('id').pluck('client_id');
  const link = async (actor: Actor) => {
    const { later } = await services.documents.setClientOfMany(actor, {
      ids: [top.id],
      client_id: person,
      contents: 'all',
    });
    assert.is(later, true);
    await services.jobs.runDue(LINK_CONTENTS);
  };
  await link(staff);
  assert.equal(await clientsOf(), [company, person]);
  await link(admin);
  assert.equal(await clientsOf(), [person, person]);
});

test('nothing kept is moved into an exempt folder, where no rule applies to it, be it alone or inside a folder', async (world) => {
  const { services, admin, staff, build } = world;
  const { documents, retention } = services;
  const { top, books, free } = await mixedFolder(world);
  const exempt = await build.folder(admin, 'Drafts');
  await retention.mark(admin, exempt.id, { exempt_reason: 'Only drafts' });
  for (const id of [books.id, top.id]) {
    const moving = documents.move(staff, { ids: [id], parent_id: exempt.id });
    assert.is((await rejects(moving, 422)).code, 'kept');
  }
  assert.equal((await documents.move(staff, { ids: [free.id], parent_id: exempt.id })).done, [free.id]);
  assert.equal((await documents.move(admin, { ids: [top.id], parent_id: exempt.id })).done, [top.id]);
  assert.equal((await documents.remove(staff, [books.id])).done, [books.id]);
});

test.run();
