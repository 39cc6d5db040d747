import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { rejects } from '../../testing/rejects.ts';
import type { World } from '../../testing/world.ts';
import { freshWorld } from '../../testing/world.ts';

interface Office extends World {
  actor: Actor;
  ravi: Actor;
  viewer: Actor;
  file: number;
}

const test = suite<Office>('notes');
test.before(async (office) => {
  const world = await freshWorld();
  const actor = await world.build.actor();
  const { actor: ravi } = await world.build.colleague(actor, { name: 'Ravi Kumar' });
  const { actor: viewer } = await world.build.colleague(actor, { role: 'viewer' });
  Object.assign(office, world, { actor, ravi, viewer });
});
test.before.each(async (office) => {
  office.file = (await office.build.file(office.actor, { name: 'Form 16.pdf' })).id;
});
test.after((office) => office.close());

test('whoever sees the item reads who wrote what and when, the newest first; who only reads writes none', async ({
  services: { notes },
  actor,
  ravi,
  viewer,
  file,
  advance,
}) => {
  await notes.add(actor, file, { text: 'Asked for the second page.' });
  advance(60_000);
  await notes.add(ravi, file, { text: 'It has come.' });
  const told = (await notes.of(viewer, file)).map((one) => [one.text, one.user_name, one.may_edit]);
  assert.equal(told, [
    ['It has come.', 'Ravi Kumar', false],
    ['Asked for the second page.', 'Asha Rao', false],
  ]);
  await rejects(notes.add(viewer, file, { text: 'Mine' }), 403);
});

test('users change only their own notes, and an admin may delete those of others', async ({
  services: { notes },
  actor,
  ravi,
  file,
  advance,
}) => {
  const own = await notes.add(actor, file, { text: 'By Asha' });
  const theirs = await notes.add(ravi, file, { text: 'By Ravi' });
  await rejects(notes.edit(actor, theirs.id, { text: 'Not so' }), 403);
  await rejects(notes.edit(ravi, own.id, { text: 'Not so' }), 403);
  await rejects(notes.remove(ravi, own.id), 403);
  advance(60_000);
  const edited = await notes.edit(ravi, theirs.id, { text: 'By Ravi, later' });
  assert.is(edited.text, 'By Ravi, later');
  assert.ok(edited.edited_at! > edited.created_at);
  await notes.remove(actor, theirs.id);
  assert.equal(
    (await notes.of(ravi, file)).map(({ text }) => text),
    ['By Asha'],
  );
});

test('a note that its author has changed in another tab is not overwritten by the text of the first', async ({
  services: { notes },
  actor,
  file,
  advance,
}) => {
  const { id } = await notes.add(actor, file, { text: 'Asked' });
  await notes.edit(actor, id, { text: 'Asked, and it has come', seen: 'Asked' });
  advance(5 * 60_000);
  const refused = await rejects(notes.edit(actor, id, { text: 'Asked twice', seen: 'Asked' }), 409);
  assert.equal(
    [refused.code, refused.message],
    ['note_changed', 'You changed this note elsewhere 5 minutes ago. This text is not saved.'],
  );
  assert.is((await notes.of(actor, file))[0]!.text, 'Asked, and it has come');
  await notes.edit(actor, id, { text: 'Asked, and it has come', seen: 'Asked' });
  await notes.edit(actor, id, { text: 'Asked twice', seen: 'Asked, and it has come' });
  assert.is(
    (await notes.of(actor, file))[0]!.text,
    'Asked twice',
    'to which one may change it after seeing it',
  );
});

test('a note on an item that the user does not see is a 404, also by the id of the note', async ({
  services: { notes, documents },
  build,
  actor,
  file,
}) => {
  const note = await notes.add(actor, file, { text: 'Private' });
  const { actor: limited } = await build.colleague(actor, { client_scope: 'assigned' });
  const client = await build.client(actor, 'Other');
  await documents.setClient(actor, file, { client_id: client });
  const stranger = await build.actor();
  for (const nobody of [limited, stranger]) {
    await rejects(notes.of(nobody, file), 404);
    await rejects(notes.add(nobody, file, { text: 'x' }), 404);
    await rejects(notes.edit(nobody, note.id, { text: 'x' }), 404);
    await rejects(notes.remove(nobody, note.id), 404);
  }
});

test('a note stays with its item in Trash, is restored and deleted for ever with it, and the history records it without its text', async ({
  services: { notes, documents, trash, audit, sweeper },
  db,
  actor,
  file,
}) => {
  await notes.add(actor, file, { text: 'secret words' });
  await documents.remove(actor, [file]);
  await rejects(notes.of(actor, file), 404);
  await trash.restore(actor, { ids: [file] });
  assert.is((await notes.of(actor, file)).length, 1);
  await documents.remove(actor, [file]);
  await trash.remove(actor, [file]);
  await sweeper.drain();
  const { data } = await audit.list(actor, { item: file });
  assert.ok(data.some(({ did, about }) => did === 'note.add' && about.startsWith('Form 16')));
  assert.not.ok(JSON.stringify(data).includes('secret words'));
  assert.equal(await db('item_rows').where({ id: file }), [], 'the row itself is gone');
  assert.equal(await db('notes').where({ item_id: file }), []);
});

test.run();
