import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { FORM_16, recognise } from '#server/fields/testing/recognised.ts';
import { rejects } from '../testing/rejects.ts';
import type { World } from '../testing/world.ts';
import { bytes, freshWorld } from '../testing/world.ts';

const test = suite<World>("a client's page");
test.before.each(async (world) => void Object.assign(world, await freshWorld()));
test.after.each((world) => world.close());

test('files are counted by the financial year of their own date, in Indian time', async (world) => {
  const { services, build, blobs } = world;
  const actor = await build.actor();
  const client = await build.client(actor, 'Sharma Traders', { pan: 'AAAPZ0000A' });
  const folder = await build.folder(actor, 'Sharma');
  await services.documents.setClient(actor, folder.id, { client_id: client });
  const add = async (name: string, original_at: string | null) => {
    const place = { parent_id: folder.id, client_id: null };
    return services.documents.addFile(actor, {
      name,
      ...place,
      original_at,
      blob: await blobs.put(bytes('12')),
    });
  };
  // Half past twelve on the first of April, in India.
  await add('april.pdf', '2024-03-31T19:00:00Z');
  await add('march.pdf', '2024-03-31T18:00:00Z');
  await add('now.pdf', null);
  await build.file(actor, { name: 'of nobody.pdf' });

  const { client: view, figures, newest, activity } = await services.clients.overview(actor, client);
  assert.is(view.pan, 'AAAPZ0000A');
  assert.equal(figures, {
    files: 3,
    folders: 1,
    bytes: 6,
    formatted_bytes: '6 B',
    years: [
      { year: '2026-27', files: 1, bytes: 2, formatted_bytes: '2 B' },
      { year: '2024-25', files: 1, bytes: 2, formatted_bytes: '2 B' },
      { year: '2023-24', files: 1, bytes: 2, formatted_bytes: '2 B' },
    ],
  });
  assert.equal(newest.map(({ name }) => name).toSorted(), ['april.pdf', 'march.pdf', 'now.pdf']);
  assert.equal(activity.map(({ name }) => name).toSorted(), ['Sharma', 'april.pdf', 'march.pdf', 'now.pdf']);
});

test('a document with a recognised or corrected period is counted in that year, not in the year of its upload', async (world) => {
  const { services, build } = world;
  const actor = await build.actor();
  const client = await build.client(actor, 'Sharma Traders');
  const file = await build.file(actor, { name: 'form 16.txt', client_id: client, content: 'Form 16' });
  await build.file(actor, { name: 'note.txt', client_id: client });
  await recognise(world, file.id, FORM_16);
  const years = async () =>
    (await services.clients.overview(actor, client)).figures!.years.map(({ year, files }) => [year, files]);
  assert.equal(await years(), [
    ['2026-27', 1],
    ['2025-26', 1],
  ]);

  // A correction by a user takes precedence over what was recognised.
  await services.fields.answer(actor, file.id, [{ id: 'period', answer: 'corrected', value: 'FY 2023-24' }]);
  assert.equal(await years(), [
    ['2026-27', 1],
    ['2023-24', 1],
  ]);
});

test('a document without a recognised period is counted in the year of its folder, or else by its date', async (world) => {
  const { services, build } = world;
  const actor = await build.actor();
  const client = await build.client(actor, 'Sharma Traders');
  const add = (name: string, parent_id: number | null) =>
    build.file(actor, { name, parent_id, client_id: client, content: name });
  const top = await build.folder(actor, 'Sharma Traders');
  const year = await build.folder(actor, 'FY 2023-24', top.id);
  const inside = await build.folder(actor, 'Bank', year.id);
  const assessment = await build.folder(actor, 'AY 2023-24', inside.id);
  // Scans and password-protected files that nobody has read yet.
  await add('statement.pdf', year.id);
  await add('passbook.pdf', inside.id);
  // The nearest folder decides, and an assessment year follows its financial year.
  await add('itr.pdf', assessment.id);
  await add('pan.pdf', top.id);
  await add('loose.pdf', null);
  // What was recognised takes precedence over the folder.
  await recognise(world, (await add('form 16.pdf', year.id)).id, FORM_16);
  const years = async () =>
    (await services.clients.overview(actor, client)).figures!.years.map(({ year, files }) => [year, files]);
  assert.equal(await years(), [
    ['2026-27', 2],
    ['2025-26', 1],
    ['2023-24', 2],
    ['2022-23', 1],
  ]);
});

test('the client of another firm is a 404, and a user without permission to read documents sees no figures or files', async (world) => {
  const { services, build } = world;
  const [actor, stranger] = [await build.actor(), await build.actor()];
  const client = await build.client(actor);
  await build.file(actor, { client_id: client });
  await rejects(services.clients.overview(stranger, client), 404);
  await rejects(services.clients.overview(actor, 99_999), 404);
  const clerk: Actor = { ...actor, role: 'staff', permissions: ['clients.write'] };
  const seen = await services.clients.overview(clerk, client);
  assert.equal([seen.figures, seen.newest, seen.activity], [null, [], []]);
  await rejects(services.clients.overview({ ...clerk, permissions: [] }, client), 403);
});

test.run();
