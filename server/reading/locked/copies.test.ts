import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { rejects } from '#server/testing/rejects.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import { lockedPdf } from '../testing/locked.ts';
import { readAll } from '../testing/office.ts';

interface Office extends World {
  actor: Actor;
  /** Sees Anil alone. */
  ravi: Actor;
  meera: number;
  anil: number;
  /** Copies of one locked PDF; its password was entered for Meera's. */
  hers: number;
  his: number;
}

const PASSWORD = 'HDFC@4410';
const LINES = [
  'INCOME TAX DEPARTMENT  Form 26AS  Annual Tax Statement',
  'Permanent Account Number (PAN): ZZZPS0000A   Financial Year 2023-24   Assessment Year 2024-25',
  'Name of Assessee: MEERA SHARMA   Secret number 445566',
];

const test = suite<Office>('copies of a locked PDF');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld({ reading: true }));
  const { build, services } = office;
  const actor = await build.actor();
  const [meera, anil] = [await build.client(actor, 'Meera Sharma'), await build.client(actor, 'Anil Rao')];
  const content = lockedPdf(PASSWORD, LINES);
  const hers = (await build.file(actor, { name: 'hers.pdf', content, client_id: meera })).id;
  const his = (await build.file(actor, { name: 'his.pdf', content, client_id: anil })).id;
  await services.unlocking.unlock(actor, hers, { password: PASSWORD, remember: false });
  await readAll(office);
  const { actor: ravi } = await build.colleague(actor, { role: 'manager', client_scope: 'assigned' });
  const only = { client_scope: 'assigned' as const, client_ids: [anil], groups: [] };
  await services.access.assign(actor, ravi.userId, only);
  Object.assign(office, { actor, ravi: { ...ravi, clientScope: 'assigned' }, meera, anil, hers, his });
});
test.after.each((office) => office.close());

/** What a user learns of the content of his copy. */
async function known({ services, his, anil }: Office, actor: Actor) {
  const { state, reason, texts } = await services.reading.text(actor, his);
  const { type, fields, year } = await services.fields.view(actor, his);
  const found = async (query: string) =>
    (await services.search.find(actor, query)).items.map(({ name }) => name);
  return {
    state: [state, reason, (await services.reading.state(actor, his)).state],
    text: texts.map(({ text }) => text).join('\n'),
    inside: (await services.search.findInside(actor, '445566')).hits.map(({ item }) => item.name),
    prefix: (await services.search.findInside(actor, 'assesse')).hits.map(({ item }) => item.name),
    listed: (await services.documents.folder(actor, null, { search: '445566' })).items.map(
      ({ name }) => name,
    ),
    type: type.value,
    year,
    values: fields.length > 0,
    exported:
      (await services.fields.records(actor, [his])).size +
      (await services.fields.knownFields(actor, [his])).size,
    byType: await found('type:26as'),
    byYear: await found('fy:2023-24'),
    years: (await services.fields.filesByYear(actor, anil)).length,
    toCheck: (await services.fields.review(actor, {})).files,
  };
}

test('what was read with the password of a client’s document is not shown of an identical copy to a user who does not see that client', async (office) => {
  const { services, actor, ravi, his, db } = office;
  await db('document_fields').update({ unsure: 1 });
  const all = await known(office, actor);
  assert.match(all.text, '445566');
  assert.ok(all.values && all.type !== null);
  for (const names of [all.inside, all.prefix, all.listed, all.byType, all.byYear])
    assert.equal(names.toSorted(), ['hers.pdf', 'his.pdf']);
  assert.equal([all.exported, all.years, all.toCheck], [2, 1, 2]);

  assert.equal(await known(office, ravi), {
    state: ['refused', 'locked', 'refused'],
    text: '',
    inside: [],
    prefix: [],
    listed: [],
    type: null,
    year: null,
    values: false,
    exported: 0,
    byType: [],
    byYear: [],
    years: 0,
    toCheck: 0,
  });
  assert.equal(await services.reading.words(ravi, his), { pages: [] });
  await rejects(services.fields.table(ravi, his, 0), 404);
  const error = await rejects(services.fields.answer(ravi, his, []), 409);
  assert.is(error.code, 'locked_pdf', 'an answer would replace answers that are not shown');

  const share = await services.sharing.links.check(ravi, { ids: [his], open_locked: true, prepare: false });
  assert.equal([share.locked, share.withheld], [1, 1], 'nor does a link show more than its maker sees');
  const recipient = { linkId: 1, name: 'x', firmName: 'x', visitor: 'x', opensLocked: true };
  await rejects(services.previews.pages({ ...ravi, recipient }, his), 409);
  assert.is(await services.previews.pages({ ...actor, recipient }, his), 1);
});

test('the copy opens for that user once the password was entered for it, since it is no secret of one client any more', async (office) => {
  const { services, ravi, his } = office;
  await services.unlocking.unlock(ravi, his, { password: PASSWORD, remember: false });
  await readAll(office);
  const now = await known(office, ravi);
  assert.match(now.text, '445566');
  assert.equal(
    [now.inside, now.byType, now.byYear, now.exported],
    [['his.pdf'], ['his.pdf'], ['his.pdf'], 2],
  );
});

test('a password of one client stays that client’s, whichever of the copies is read with it', async (office) => {
  const { services, build, actor, anil, ravi } = office;
  const later = await build.client(actor, 'Kavita Joshi');
  const content = lockedPdf('SBI@9911', LINES);
  const his = (await build.file(actor, { name: 'his second.pdf', content, client_id: anil })).id;
  const theirs = (await build.file(actor, { name: 'theirs.pdf', content, client_id: later })).id;
  await readAll(office);
  await services.unlocking.unlock(actor, theirs, { password: 'SBI@9911', remember: false });
  await readAll(office);
  assert.is((await services.reading.state(actor, his)).state, 'read');
  assert.is((await services.reading.state(ravi, his)).state, 'refused');
});

test('after the client is deleted the copies stay open for users who see all clients', async (office) => {
  const { services, actor, meera } = office;
  await services.clients.remove(actor, meera);
  await services.clients.forgetDeleted();
  assert.match((await known(office, actor)).text, '445566');
  assert.equal(await services.unlocking.password(actor, office.his), { password: PASSWORD });
});

test.run();
