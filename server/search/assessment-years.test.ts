import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';

interface Office extends World {
  actor: Actor;
  /** Names of the files that are found, in the top bar and in the list of all files. */
  found: (query: string, who?: Actor) => Promise<string[]>;
}

/** A file in each of these folders has the financial year 2024-25. */
const FOLDERS = [
  'Assessment Year 2025-26',
  'Asst. Year 2025-2026',
  'A.Y. 2025-26',
  'A Y 2025_26',
  'AY_2025-26',
  'निर्धारण वर्ष 2025-26',
  'Previous Year 2024-25',
  'GST May 2024-25',
  'Audit for the year 2024-25',
];

const test = suite<Office>('assessment years in names');
test.before(async (office) => {
  Object.assign(office, await freshWorld());
  const { build, services } = office;
  const actor = (office.actor = await build.actor());
  const client_id = await build.client(actor, 'Deshmukh Textiles');
  for (const [index, name] of FOLDERS.entries()) {
    const folder = await services.documents.createFolder(actor, { name, parent_id: null, client_id });
    await build.file(actor, { name: `computation ${index}.pdf`, parent_id: folder.id, client_id });
  }
  // The year before and the year after, in the same words.
  for (const name of [
    'Assessment Year 2024-25',
    'A.Y. 2024-25',
    'AY 2026-27',
    'Asst. Year 2026-27',
    'May 2025-26',
  ])
    await build.file(actor, { name: `computation ${name}.pdf`, client_id });
  office.found = async (query, who = actor) => {
    const { items } = await services.search.find(who, query, 50);
    const files = (await services.documents.files(who, { search: query })).items;
    const names = items.flatMap(({ name, type }) => (type === 'file' ? [name] : [])).toSorted();
    assert.equal(files.map(({ name }) => name).toSorted(), names, query);
    return names;
  };
});
test.after((office) => office.close());

const all = FOLDERS.map((_, index) => `computation ${index}.pdf`);

test('`fy:` and `ay:` find the files of a folder of an assessment year, in whatever words, and none of the years beside', async ({
  found,
}) => {
  for (const query of ['computation fy:2024-25', 'computation ay:2025-26'])
    assert.equal(await found(query), all);
  assert.equal(await found('computation fy:2025-26'), [
    'computation AY 2026-27.pdf',
    'computation Asst. Year 2026-27.pdf',
    'computation May 2025-26.pdf',
  ]);
  assert.equal(await found('computation fy:2023-24'), [
    'computation A.Y. 2024-25.pdf',
    'computation Assessment Year 2024-25.pdf',
  ]);
  assert.equal(await found('computation fy:2026-27'), []);
  assert.is((await found('computation fy:2023-24 fy:2024-25')).length, all.length + 2);
});

test('a search without a filter treats the words of a year alike', async ({ found }) => {
  for (const query of [
    'FY 2024-25',
    'AY 2025-26',
    'A.Y. 2025-26',
    'Asst. Year 2025-26',
    'Previous Year 2024-25',
  ])
    assert.equal(await found(`computation ${query}`), all, query);
  assert.equal(await found('computation fin. year 2025-26'), [
    'computation AY 2026-27.pdf',
    'computation Asst. Year 2026-27.pdf',
    'computation May 2025-26.pdf',
  ]);
});

test('the names of hidden folders are not read for the filter by year, since it would reveal them', async (office) => {
  const { actor, services, build, found } = office;
  const [hidden, own] = [await build.client(actor, 'Iyer Foods'), await build.client(actor, 'Rao and Sons')];
  const folder = await services.documents.createFolder(actor, {
    name: 'Assessment Year 2022-23',
    parent_id: null,
    client_id: hidden,
  });
  await build.file(actor, { name: 'ledger.pdf', parent_id: folder.id, client_id: own });
  const { actor: ravi } = await build.colleague(actor, { client_scope: 'assigned' });
  await services.access.assign(actor, ravi.userId, {
    client_scope: 'assigned',
    client_ids: [own],
    groups: [],
  });
  assert.equal(await found('ledger fy:2021-22'), ['ledger.pdf']);
  assert.equal(await found('ledger fy:2021-22', ravi), []);
});

test.run();
