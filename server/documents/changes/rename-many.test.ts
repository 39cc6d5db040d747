import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '../../actor.ts';
import { assign, colleague } from '../../testing/colleague.ts';
import { rejects } from '../../testing/rejects.ts';
import type { World } from '../../testing/world.ts';
import { freshWorld } from '../../testing/world.ts';

interface Office extends World {
  asha: Actor;
  /** Sees all clients. */
  ravi: Actor;
}

const test = suite<Office>('documents: renaming many');
test.before.each(async (office) => {
  const world = await freshWorld();
  const asha = await world.build.actor();
  const ravi = await colleague(world, asha, {
    clientScope: 'all',
    permissions: ['documents.read', 'documents.write'],
  });
  Object.assign(office, world, { asha, ravi });
});
test.after.each((office) => office.close());

const filesOf = async (
  { build, asha }: Office,
  names: readonly string[],
  parent_id: number | null = null,
) => {
  const ids: number[] = [];
  for (const name of names) ids.push((await build.file(asha, { name, parent_id })).id);
  return ids;
};
const namesNow = async ({ services, asha }: Office, ids: readonly number[]): Promise<string[]> =>
  Promise.all(ids.map(async (id) => (await services.documents.item(asha, id)).name));

test('items take each other’s names at once, each with an entry in the history, and search finds them by the new ones', async (office) => {
  const { asha, db, services } = office;
  const ids = await filesOf(office, ['a.pdf', 'b.pdf', '1.txt', '2.txt', '3.txt', 'case.txt', 'same.txt']);
  const wanted = ['b.pdf', 'a.pdf', '2.txt', '3.txt', 'ledger.txt', 'Case.txt', 'same.txt'];
  const names = ids.map((id, index) => ({ id, name: wanted[index]! }));
  const { done, failed } = await services.documents.renameMany(asha, { names, seen: [] });
  assert.equal([done.toSorted((a, b) => a - b), failed], [ids, []]);
  assert.equal(await namesNow(office, ids), wanted);
  const entries = await db('audit_events').where({ did: 'document.rename' }).orderBy('id');
  assert.equal(
    entries.map(({ subject, detail }) => [subject, JSON.parse(detail).from, JSON.parse(detail).to]),
    [
      [`item:${ids[0]}`, 'a.pdf', 'b.pdf'],
      [`item:${ids[1]}`, 'b.pdf', 'a.pdf'],
      [`item:${ids[2]}`, '1.txt', '2.txt'],
      [`item:${ids[3]}`, '2.txt', '3.txt'],
      [`item:${ids[4]}`, '3.txt', 'ledger.txt'],
      [`item:${ids[5]}`, 'case.txt', 'Case.txt'],
    ],
  );
  assert.is((await services.search.find(asha, 'ledger')).total, 1);
  const keys = await db('item_rows').whereIn('id', ids).orderBy('id').pluck('name_key');
  assert.equal(
    keys,
    wanted.map((name) => name.toLowerCase()),
  );
});

test('what cannot have its name keeps its own, with the reason, and so does what counted on that name; the rest is renamed', async (office) => {
  const { asha, ravi, build, services } = office;
  const { documents, seals } = services;
  const [first, second, third, long, typed, sealed, changed, free] = await filesOf(office, [
    'first.pdf',
    'second.pdf',
    'third.pdf',
    'long.pdf',
    'typed.pdf',
    'sealed.pdf',
    'changed.pdf',
    'free.pdf',
  ]);
  await build.file(asha, { name: 'Taken.pdf' });
  await seals.seal(asha, sealed!, { reason: 'Signed' });
  const seen = [{ id: changed!, name: 'changed.pdf', parent_id: null }];
  await documents.rename(ravi, changed!, { name: 'by Ravi.pdf' });
  const names = [
    { id: first!, name: 'second.pdf' },
    { id: second!, name: 'third.pdf' },
    { id: third!, name: 'taken.pdf' },
    { id: long!, name: `${'x'.repeat(252)}.pdf` },
    { id: typed!, name: 'typed.exe' },
    { id: sealed!, name: 'open.pdf' },
    { id: changed!, name: 'by Asha.pdf' },
    { id: free!, name: 'new.pdf' },
    { id: 99_999, name: 'none.pdf' },
  ];
  const { done, failed } = await documents.renameMany(asha, { names, seen });
  assert.equal(done, [free]);
  const failures = new Map(failed.map(({ id, ...failure }) => [id, failure]));
  const taken = (name: string, wish: string) => ({
    name,
    message: `An item named "${wish}" already exists in this folder.`,
    code: 'taken',
  });
  assert.equal(failures.get(first!), taken('first.pdf', 'second.pdf'));
  assert.equal(failures.get(second!), taken('second.pdf', 'third.pdf'));
  assert.equal(failures.get(third!), taken('third.pdf', 'taken.pdf'));
  assert.is(failures.get(long!)?.message, 'A name can have at most 255 characters.');
  assert.match(failures.get(typed!)!.message, 'exe');
  assert.is(failures.get(sealed!)?.code, 'sealed');
  assert.equal(failures.get(changed!), {
    name: 'by Ravi.pdf',
    message:
      'Renamed to "by Ravi.pdf" by Ravi Kumar a moment ago. Rename it again if it should still get your name.',
    code: 'changed',
  });
  assert.is(failures.get(99_999)?.name, null);
  assert.equal(await namesNow(office, [first!, second!, third!, changed!, free!]), [
    'first.pdf',
    'second.pdf',
    'third.pdf',
    'by Ravi.pdf',
    'new.pdf',
  ]);
});

test('of two items that want the same name in a folder the first gets it, and in two folders both do', async (office) => {
  const { asha, build, services } = office;
  const folder = await build.folder(asha, 'GST');
  const [one, two] = await filesOf(office, ['one.pdf', 'two.pdf']);
  const [three] = await filesOf(office, ['three.pdf'], folder.id);
  const names = [one!, two!, three!].map((id) => ({ id, name: 'Return.pdf' }));
  const { done, failed } = await services.documents.renameMany(asha, { names, seen: [] });
  assert.equal([done, failed.map(({ id }) => id)], [[one, three], [two]]);
});

test('a user without the right to change documents renames nothing, and an assigned one only what they see, without learning what they do not', async (office) => {
  const { asha, ravi, build, db, services } = office;
  const [mine, theirs] = [await build.client(asha, 'Iyer'), await build.client(asha, 'Sharma')];
  const own = await build.file(asha, { name: 'own.pdf', client_id: mine });
  const other = await build.file(asha, { name: 'other.pdf', client_id: theirs });
  const names = [
    { id: own.id, name: 'Other.pdf' },
    { id: other.id, name: 'x.pdf' },
  ];
  const viewer: Actor = { ...ravi, permissions: ['documents.read'] };
  await rejects(services.documents.renameMany(viewer, { names, seen: [] }), 403);
  const limited = { ...ravi, clientScope: 'assigned' as const };
  await db('users').where('id', ravi.userId).update({ client_scope: 'assigned' });
  await assign(office, limited, [mine]);
  const { done, failed } = await services.documents.renameMany(limited, { names, seen: [] });
  assert.equal(done, []);
  const messages = new Map(failed.map(({ id, message }) => [id, message]));
  assert.is(messages.get(other.id), 'This item does not exist, or you have no access to it.');
  assert.not.match(messages.get(own.id)!, 'already exists');
  assert.equal(await namesNow(office, [own.id, other.id]), ['own.pdf', 'other.pdf']);
});

test.run();
