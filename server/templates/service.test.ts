import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { rejects } from '../testing/rejects.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';

const test = suite<World>('folder templates');
test.before.each(async (world) => void Object.assign(world, await freshWorld()));
test.after.each((world) => world.close());

const fy = '2026-27';

/** All folders of the firm as `A / B`, each with the client that it is linked to. */
async function folders({ services }: World, actor: Actor): Promise<[string, number | null][]> {
  const found: [string, number | null][] = [];
  const look = async (id: number | null, above: string) => {
    for (const item of (await services.documents.folder(actor, id)).items) {
      if (item.type !== 'folder') continue;
      found.push([above + item.name, item.client_id]);
      await look(item.id, `${above}${item.name} / `);
    }
  };
  await look(null, '');
  return found;
}

test('applying a template to clients creates a folder for each with the year in it, linked to the client and found by a search', async (world) => {
  const { build, services, db } = world;
  const actor = await build.actor();
  const [meera, rao] = [await build.client(actor, 'Meera Iyer'), await build.client(actor, 'M/s Rao')];
  const wish = { client_ids: [meera, rao], fy };
  const preview = await services.templates.preview(actor, 'gst', wish);
  assert.equal(await folders(world, actor), [], 'a preview writes nothing');
  const counts = { clients: 2, created: 14, existing: 0, taken: 0, left_out: 0, problems: [] };
  assert.equal(preview, {
    ...counts,
    example: {
      client_name: 'Meera Iyer',
      path: '',
      folders: [
        { name: 'Meera Iyer', depth: 0, state: 'new' },
        { name: '2026-27', depth: 1, state: 'new' },
        { name: 'GST', depth: 2, state: 'new' },
        ...['GSTR-1', 'GSTR-3B', 'GSTR-2B', 'Annual return'].map((name) => ({
          name,
          depth: 3,
          state: 'new' as const,
        })),
      ],
    },
  });
  assert.equal(await services.templates.apply(actor, 'gst', wish), counts);
  const of = (root: string, client: number) => [
    [root, client],
    [`${root} / 2026-27`, client],
    [`${root} / 2026-27 / GST`, client],
    ...['Annual return', 'GSTR-1', 'GSTR-2B', 'GSTR-3B'].map((name) => [
      `${root} / 2026-27 / GST / ${name}`,
      client,
    ]),
  ];
  assert.equal(await folders(world, actor), [...of('M_s Rao', rao), ...of('Meera Iyer', meera)]);
  const hits = await services.search.find(actor, 'GSTR-3B');
  assert.match(JSON.stringify(hits), 'GSTR-3B');
  const trail = await db('audit_events').where({ did: 'template.apply' }).orderBy('id').select();
  assert.equal(
    trail.map(({ subject, detail }) => [subject, JSON.parse(detail)]),
    [
      [`client:${meera}`, { name: 'Meera Iyer', template: 'GST', fy, created: 7, existing: 0 }],
      [`client:${rao}`, { name: 'M/s Rao', template: 'GST', fy, created: 7, existing: 0 }],
    ],
  );
});

test('applying a template again, or another one or another year, reuses existing folders and only adds missing ones', async (world) => {
  const { build, services, db } = world;
  const actor = await build.actor();
  const client_ids = [await build.client(actor)];
  const apply = (id: string, year = fy) => services.templates.apply(actor, id, { client_ids, fy: year });
  await apply('gst');
  assert.equal(await apply('gst'), {
    clients: 1,
    created: 0,
    existing: 7,
    taken: 0,
    left_out: 0,
    problems: [],
  });
  assert.is(
    (await db('audit_events').where({ did: 'template.apply' })).length,
    1,
    'nothing done, nothing told',
  );
  const { created, existing } = await apply('tds');
  assert.equal([created, existing], [6, 2]);
  assert.is((await apply('gst', '2025-26')).created, 6);
  const names = (await folders(world, actor)).map(([name]) => name);
  assert.is(new Set(names.map((name) => name.toLowerCase())).size, names.length);
  assert.is(names.filter((name) => !name.includes(' / ')).length, 1);
});

test('existing folders are used even if their names differ in case, and keep their client', async (world) => {
  const { build, services } = world;
  const actor = await build.actor();
  const [client, other] = [await build.client(actor, 'Rao'), await build.client(actor, 'Iyer')];
  const root = await build.folder(actor, 'RAO');
  await services.documents.setClient(actor, root.id, { client_id: client });
  const year = await build.folder(actor, fy, root.id);
  const gst = await build.folder(actor, 'gst', year.id);
  await services.documents.setClient(actor, gst.id, { client_id: other });
  const done = await services.templates.apply(actor, 'gst', { client_ids: [client], fy });
  assert.equal([done.created, done.existing], [4, 3]);
  assert.equal(await folders(world, actor), [
    ['RAO', client],
    ['RAO / 2026-27', client],
    ['RAO / 2026-27 / gst', other],
    ['RAO / 2026-27 / gst / Annual return', client],
    ['RAO / 2026-27 / gst / GSTR-1', client],
    ['RAO / 2026-27 / gst / GSTR-2B', client],
    ['RAO / 2026-27 / gst / GSTR-3B', client],
  ]);
});

test("the client's folder is the one named after the client, else the oldest at the top, else a namesake further down, else a new one", async (world) => {
  const { build, services } = world;
  const actor = await build.actor();
  const client = await build.client(actor, 'Rao');
  const link = (id: number) =>
    services.documents.setClient(actor, id, { client_id: client, contents: 'none' });
  const place = async () => {
    const { example } = await services.templates.preview(actor, 'gst', { client_ids: [client], fy });
    const [top] = example!.folders;
    return [example!.path, top!.name, top!.state].join(' > ');
  };
  const foreign = await build.folder(actor, 'Rao');
  assert.is(await place(), ' > Rao (2) > new', 'a folder of nobody is not the client’s');
  const all = await build.folder(actor, 'Clients');
  const below = await build.folder(actor, 'rao', all.id);
  await link(below.id);
  assert.is(await place(), 'Clients > rao > there');
  const [older, newer] = [await build.folder(actor, 'Z files'), await build.folder(actor, 'A files')];
  await link(newer.id);
  await link(older.id);
  assert.is(await place(), ' > Z files > there');
  await link(foreign.id);
  assert.is(await place(), ' > Rao > there');
});

test('if a file has the name of a folder of the template, neither that folder nor the folders inside it are created', async (world) => {
  const { build, services } = world;
  const actor = await build.actor();
  const client = await build.client(actor, 'Rao');
  await services.templates.apply(actor, 'income-tax', { client_ids: [client], fy });
  const { items } = await services.documents.folder(actor, null);
  const year = (await services.documents.folder(actor, items[0]!.id)).items[0]!;
  const made = await services.templates.create(actor, {
    name: 'Own',
    outline: '{fy}\n  note.txt\n    a\n    b\n  c',
  });
  await build.file(actor, { name: 'note.txt', parent_id: year.id });
  const expected = {
    clients: 1,
    created: 1,
    existing: 2,
    taken: 3,
    left_out: 0,
    problems: [{ client_id: client, client_name: 'Rao', name: 'note.txt', sealed: false }],
  };
  const wish = { client_ids: [client], fy };
  const { example, ...preview } = await services.templates.preview(actor, made.id, wish);
  assert.equal(preview, expected);
  assert.is(example!.folders.find(({ name }) => name === 'note.txt')?.state, 'taken');
  assert.equal(await services.templates.apply(actor, made.id, wish), expected);
});

test('two users who apply a template at the same time create one set of folders', async (world) => {
  const { build, services } = world;
  const actor = await build.actor();
  const client_ids = [await build.client(actor, 'Rao'), await build.client(actor, 'Iyer')];
  const both = await Promise.all(
    ['gst', 'gst'].map((id) => services.templates.apply(actor, id, { client_ids, fy })),
  );
  assert.is(both[0]!.created + both[1]!.created, 14);
  assert.is((await folders(world, actor)).length, 14);
});

test('clients of another firm and deleted clients give 404 alone, and are left out and counted when requested with others', async (world) => {
  const { build, services } = world;
  const [actor, stranger] = [await build.actor(), await build.actor()];
  const [own, foreign] = [await build.client(actor), await build.client(stranger)];
  const gone = await build.client(actor, 'Gone');
  await services.clients.remove(actor, gone);
  for (const call of ['preview', 'apply'] as const) {
    await rejects(services.templates[call](actor, 'gst', { client_ids: [foreign], fy }), 404);
    const { clients, left_out } = await services.templates[call](actor, 'gst', {
      client_ids: [foreign, own, gone],
      fy,
    });
    assert.equal([clients, left_out], [1, 2]);
  }
  assert.equal(await folders(world, stranger), []);
});

test('the financial year is required only if the template contains it', async (world) => {
  const { build, services } = world;
  const actor = await build.actor();
  const client_ids = [await build.client(actor, 'Rao')];
  await rejects(services.templates.apply(actor, 'gst', { client_ids }), 422);
  const { id } = await services.templates.create(actor, { name: 'Permanent', outline: '{client} - PAN' });
  assert.is((await services.templates.apply(actor, id, { client_ids })).created, 2);
  assert.equal(
    (await folders(world, actor)).map(([name]) => name),
    ['Rao', 'Rao / Rao - PAN'],
  );
});

test('template names are unique within a firm, an edit of an outdated version gets 409, and built-in templates cannot be changed', async (world) => {
  const { build, services } = world;
  const { templates } = services;
  const [actor, stranger] = [await build.actor(), await build.actor()];
  const made = await templates.create(actor, { name: 'Trusts', outline: '{fy}\n\t10B\n' });
  assert.equal(made, {
    id: made.id,
    name: 'Trusts',
    outline: '{fy}\n  10B',
    folders: 2,
    built_in: false,
    version: 1,
  });
  const names = async (who: Actor) => (await templates.list(who)).map(({ name }) => name);
  assert.equal((await names(actor)).slice(-2), ['ROC (companies)', 'Trusts']);
  assert.not((await names(stranger)).includes('Trusts'));
  for (const name of ['TRUSTS', 'gst']) await rejects(templates.create(actor, { name, outline: 'A' }), 422);
  await templates.create(stranger, { name: 'Trusts', outline: 'A' });

  const changed = await templates.update(actor, made.id, {
    name: 'Trusts',
    outline: 'A\n  B\nC',
    version: 1,
  });
  assert.equal([changed.folders, changed.version], [3, 2]);
  await rejects(templates.update(actor, made.id, { name: 'T', outline: 'A', version: 1 }), 409);
  await rejects(templates.update(stranger, made.id, { name: 'T', outline: 'A' }), 404);
  await rejects(templates.remove(stranger, made.id), 404);
  await rejects(templates.update(actor, 'gst', { name: 'T', outline: 'A' }), 403);
  await rejects(templates.remove(actor, 'gst'), 403);
  await templates.remove(actor, made.id);
  await rejects(templates.remove(actor, made.id), 404);
});

test('a faulty outline is refused with all faulty lines', async (world) => {
  const { build, services } = world;
  const actor = await build.actor();
  const error = await services.templates
    .create(actor, { name: 'Mine', outline: 'A\n  b:c\n  {x}' })
    .catch((failure: { status: number; errors: unknown }) => failure);
  assert.equal((error as { errors: unknown }).errors, {
    outline: [
      String.raw`Line 2: A name cannot contain any of these: / \ : * ? " < > |`,
      'Line 3: {x} is not known. Use {fy} or {client}.',
    ],
  });
});

test('all actions on templates require the permission to write documents', async ({
  build,
  services: { templates },
}) => {
  const admin = await build.actor();
  const client_ids = [await build.client(admin)];
  const reader = build.limited(admin, ['documents.read', 'clients.write']);
  const input = { name: 'A', outline: 'A' };
  const { id } = await templates.create(build.limited(admin, ['documents.read', 'documents.write']), input);
  const calls: (() => Promise<unknown>)[] = [
    () => templates.list(reader),
    () => templates.create(reader, input),
    () => templates.update(reader, id, input),
    () => templates.remove(reader, id),
    () => templates.preview(reader, id, { client_ids }),
    () => templates.apply(reader, id, { client_ids }),
  ];
  for (const call of calls) await rejects(Promise.resolve().then(call), 403);
});

test('the largest allowed template is created completely for one client', async (world) => {
  const { build, services } = world;
  const actor = await build.actor();
  const client_ids = [await build.client(actor)];
  const outline = Array.from({ length: 200 }, (_, index) => `${'  '.repeat(index % 8)}F${index}`).join('\n');
  const { id } = await services.templates.create(actor, { name: 'Large', outline });
  assert.is((await services.templates.apply(actor, id, { client_ids })).created, 201);
  assert.is((await folders(world, actor)).length, 201);
});

test.run();
