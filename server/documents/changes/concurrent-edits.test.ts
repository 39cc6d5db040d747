import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '../../actor.ts';
import { ago } from '../../text/ago.ts';
import { assign, colleague } from '../../testing/colleague.ts';
import { rejects } from '../../testing/rejects.ts';
import { freshWorld } from '../../testing/world.ts';
import type { World } from '../../testing/world.ts';
import type { ItemView } from '../contract.ts';

interface Office extends World {
  asha: Actor;
  ravi: Actor;
  file: ItemView;
  /** The file as Asha sees it. */
  seen: { id: number; name: string; parent_id: number | null };
}

const test = suite<Office>('two people at one item');
test.before.each(async (office) => {
  const world = await freshWorld();
  const asha = await world.build.actor();
  const ravi = await colleague(world, asha, {
    clientScope: 'all',
    permissions: ['documents.read', 'documents.write', 'documents.delete'],
  });
  const file = await world.build.file(asha, { name: 'Form 16.pdf' });
  const { id, name, parent_id } = file;
  Object.assign(office, world, { asha, ravi, file, seen: { id, name, parent_id } });
});
test.after.each((office) => office.close());

test('renaming an item that a colleague has just renamed is refused once with a message, and then allowed', async ({
  services: { documents },
  asha,
  ravi,
  file,
  seen,
}) => {
  await documents.rename(ravi, file.id, { name: 'Form 16 signed.pdf' });
  const wish = { name: 'Form 16 final.pdf' };
  const error = await rejects(documents.rename(asha, file.id, { ...wish, seen }), 409);
  assert.equal(
    [error.code, error.message],
    [
      'item_changed',
      'Renamed to "Form 16 signed.pdf" by Ravi Kumar a moment ago. Save again to give it your name.',
    ],
  );
  assert.is((await documents.item(asha, file.id)).name, 'Form 16 signed.pdf', 'nothing was lost');
  const now = { name: 'Form 16 signed.pdf', parent_id: null };
  assert.is((await documents.rename(asha, file.id, { ...wish, seen: now })).name, wish.name);
});

test('a user’s own rename in another tab is no conflict, nor is a rename to the same name by a colleague', async ({
  services: { documents },
  asha,
  ravi,
  file,
  seen,
}) => {
  await documents.rename(asha, file.id, { name: 'a.pdf' });
  assert.is((await documents.rename(asha, file.id, { name: 'b.pdf', seen })).name, 'b.pdf');
  await documents.rename(ravi, file.id, { name: 'c.pdf' });
  assert.is((await documents.rename(asha, file.id, { name: 'c.pdf', seen })).name, 'c.pdf');
});

test('linking an item that a colleague has just linked to another client is refused once with a message, and then allowed', async ({
  services: { documents },
  asha,
  ravi,
  file,
  build,
}) => {
  const [rao, iyer] = [await build.client(asha, 'Rao'), await build.client(asha, 'Iyer')];
  const other = await build.file(asha, { name: 'other.pdf' });
  const ids = [file.id, other.id];
  const seen = ids.map((id) => ({ id, client_id: null }));
  await documents.setClient(ravi, file.id, { client_id: rao });
  const error = await rejects(
    documents.setClient(asha, file.id, { client_id: iyer, seen: { client_id: null } }),
    409,
  );
  const message =
    'Linked to "Rao" by Ravi Kumar a moment ago. Change the client again if it should be another.';
  assert.equal([error.code, error.message], ['item_changed', message]);
  const many = await documents.setClientOfMany(asha, { ids, client_id: iyer, seen });
  assert.equal(many.done, [other.id]);
  assert.equal(many.failed, [{ id: file.id, name: file.name, message, code: 'changed' }]);
  assert.is((await documents.item(asha, file.id)).client_id, rao, 'nothing was lost');
  const same = await documents.setClientOfMany(asha, { ids: [file.id], client_id: rao, seen });
  assert.equal(same.failed, [], 'both wanted the same');
  const told = [{ id: file.id, client_id: rao }];
  assert.equal(
    (await documents.setClientOfMany(asha, { ids: [file.id], client_id: iyer, seen: told })).done,
    [file.id],
  );
  assert.equal(
    (await documents.setClientOfMany(asha, { ids: [file.id], client_id: null, seen: told })).done,
    [file.id],
    'what one has done oneself in another tab is no surprise',
  );
});

test('of several items, those that a colleague has moved or renamed meanwhile are not moved or deleted, and the others are', async ({
  services: { documents },
  asha,
  ravi,
  file,
  seen,
  build,
}) => {
  const [gst, tds] = [await build.folder(asha, 'GST'), await build.folder(asha, 'TDS')];
  const other = await build.file(asha, { name: 'other.pdf' });
  const ids = [file.id, other.id];
  await documents.move(ravi, { ids: [file.id], parent_id: gst.id });
  const moved = await documents.move(asha, { ids, parent_id: tds.id, seen: [seen] });
  const message = 'Moved to "GST" by Ravi Kumar a moment ago. Move it again if it should still go there.';
  assert.equal(moved.done, [other.id]);
  assert.equal(moved.failed, [{ id: file.id, name: file.name, message, code: 'changed' }]);
  await documents.rename(ravi, file.id, { name: 'Keep.pdf' });
  const here = { ...seen, parent_id: gst.id };
  const removed = await documents.remove(asha, ids, [here]);
  assert.equal(removed.done, [other.id]);
  assert.is(
    removed.failed[0]!.message,
    'Renamed to "Keep.pdf" by Ravi Kumar a moment ago. Delete it again if it is no longer needed.',
  );
});

test('the error for an item that a colleague has deleted, itself or with its folder, names the colleague', async ({
  services: { documents },
  asha,
  ravi,
  file,
  build,
}) => {
  const folder = await build.folder(asha, 'GST');
  const inside = await build.file(asha, { name: 'inside.pdf', parent_id: folder.id });
  await documents.remove(ravi, [file.id]);
  await documents.remove(ravi, [folder.id]);
  const what = 'Deleted by Ravi Kumar a moment ago.';
  for (const id of [file.id, inside.id])
    for (const tried of [
      () => documents.rename(asha, id, { name: 'x.pdf' }),
      () => documents.item(asha, id),
      () => documents.setClient(asha, id, { client_id: null }),
    ])
      assert.is((await rejects(tried(), 404)).message, what);
  assert.is((await documents.remove(asha, [file.id])).failed[0]!.message, what);
  const there = await rejects(documents.move(asha, { ids: [inside.id], parent_id: folder.id }), 422);
  assert.ok(there.message.endsWith(what));
});

test('the error for an item that the user never saw names nobody, so that it does not show that the item existed', async (office) => {
  const { services, asha, ravi, build } = office;
  const sharma = await build.client(asha, 'Sharma');
  const secret = await build.file(asha, { name: 'secret.pdf', client_id: sharma });
  const limited = { ...ravi, clientScope: 'assigned' as const };
  await office.db('users').where('id', ravi.userId).update({ client_scope: 'assigned' });
  await assign(office, limited, []);
  const none = 'This item does not exist, or you have no access to it.';
  assert.is((await rejects(services.documents.item(limited, secret.id), 404)).message, none);
  await services.documents.remove(asha, [secret.id]);
  assert.is((await rejects(services.documents.item(limited, secret.id), 404)).message, none);
  const stranger = await build.actor();
  assert.is((await rejects(services.documents.item(stranger, secret.id), 404)).message, none);
});

test('the time of a change is written relative to now, as colleagues would say it', () => {
  const now = new Date('2026-11-22T12:00:00Z');
  const of = (minutes: number) => ago(new Date(now.getTime() - minutes * 60_000).toISOString(), now);
  assert.equal([0, 1, 2, 59, 60, 179, 1440].map(of), [
    'a moment ago',
    'a moment ago',
    '2 minutes ago',
    '59 minutes ago',
    'an hour ago',
    '2 hours ago',
    'on Nov 21, 2026',
  ]);
});

test('undoing a rename does not take back a later name that the same user gave in another tab, of one item or of several', async ({
  services: { documents },
  build,
}) => {
  const actor = await build.actor();
  const { id } = await build.file(actor, { name: 'first.pdf' });
  const renamed = { ...(await documents.rename(actor, id, { name: 'second.pdf' })), undoing: true };
  await documents.rename(actor, id, { name: 'third.pdf' });
  const refused = await rejects(documents.rename(actor, id, { name: 'first.pdf', seen: renamed }), 409);
  assert.match(refused.message, /^Renamed to "third\.pdf" by Asha Rao .*It keeps this name\.$/);
  const { done, failed } = await documents.renameMany(actor, {
    names: [{ id, name: 'first.pdf' }],
    seen: [renamed],
  });
  assert.equal([done, failed.map(({ code }) => code)], [[], ['changed']]);
  assert.is((await documents.item(actor, id)).name, 'third.pdf');
  const seen = { name: 'third.pdf', parent_id: null, undoing: true };
  assert.is((await documents.rename(actor, id, { name: 'second.pdf', seen })).name, 'second.pdf');
});

test('an item that somebody has given the wanted name already is not reported as changed, since nothing is left to do', async ({
  services: { documents },
  build,
}) => {
  const actor = await build.actor();
  const { id } = await build.file(actor, { name: 'first.pdf' });
  const renamed = { ...(await documents.rename(actor, id, { name: 'second.pdf' })), undoing: true };
  await documents.rename(actor, id, { name: 'first.pdf' });
  const names = [{ id, name: 'first.pdf' }];
  const wanted = { done: [id], failed: [] };
  assert.equal(await documents.renameMany(actor, { names, seen: [renamed] }), wanted, 'renamed back by hand');
  const { actor: ravi } = await build.colleague(actor);
  const seen = [{ id, name: 'second.pdf', parent_id: null }];
  assert.equal(await documents.renameMany(ravi, { names, seen }), wanted, 'renamed by a colleague');
});

test('undoing a move leaves in its place, and with its client, what was moved on since, also by the same user', async ({
  services: { documents },
  build,
  asha,
  ravi,
  file,
}) => {
  const [sharma, meera] = [await build.client(asha, 'Sharma'), await build.client(asha, 'Meera')];
  const folder = async (name: string, client_id: number) =>
    documents.createFolder(asha, { name, parent_id: null, client_id });
  const [theirs, hers] = [await folder('Sharma', sharma), await folder('Meera', meera)];
  const { id } = file;
  for (const mover of [asha, ravi]) {
    const moved = await documents.move(asha, { ids: [id], parent_id: theirs.id });
    await documents.move(mover, { ids: [id], parent_id: hers.id });
    const { failed } = await documents.undoMove(asha, moved);
    const by = mover === asha ? 'Asha Rao' : 'Ravi Kumar';
    assert.equal(
      failed.map(({ message, code }) => [message, code]),
      [[`Moved to "Meera" by ${by} a moment ago. It stays there.`, 'changed']],
    );
    const { parent_id, client_id } = await documents.item(asha, id);
    assert.equal([parent_id, client_id], [hers.id, meera]);
    await documents.undoMove(asha, await documents.move(asha, { ids: [id], parent_id: null }));
    assert.is((await documents.item(asha, id)).parent_id, hers.id, 'what nobody changed returns');
    await documents.move(asha, { ids: [id], parent_id: null });
    await documents.setClient(asha, id, { client_id: null });
  }
});

test('undoing a move leaves the contents of a folder that was moved on since with their client', async ({
  services: { documents },
  build,
  asha,
}) => {
  const client_id = await build.client(asha, 'Sharma');
  const theirs = await documents.createFolder(asha, { name: 'Sharma', parent_id: null, client_id });
  const [moving, other] = [await build.folder(asha, 'GST'), await build.folder(asha, 'Other')];
  const { id } = await build.file(asha, { parent_id: moving.id });
  const moved = await documents.move(asha, { ids: [moving.id], parent_id: theirs.id });
  await documents.move(asha, { ids: [moving.id], parent_id: other.id });
  await documents.undoMove(asha, moved);
  assert.is((await documents.item(asha, id)).client_id, client_id);
});

test('undoing a move asks the history once, however many were moved on since, since all who save wait for it', async ({
  services: { documents },
  build,
  asha,
  ravi,
  db,
}) => {
  const [first, other] = [await build.folder(asha, 'GST'), await build.folder(asha, 'Other')];
  const files = [];
  for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) files.push(await build.file(asha, { name }));
  const ids = files.map(({ id }) => id);
  const moved = await documents.move(asha, { ids, parent_id: first.id });
  await documents.move(ravi, { ids, parent_id: other.id });
  let questions = 0;
  const count = ({ sql }: { sql: string }) =>
    void (questions += Number(/^select.*audit_links.*users/is.test(sql)));
  db.on('query', count);
  const { failed } = await documents.undoMove(asha, moved);
  db.off('query', count);
  const what = 'Moved to "Other" by Ravi Kumar a moment ago. It stays there.';
  assert.equal(
    failed.map(({ id, message }) => [id, message]),
    ids.map((id) => [id, what]),
  );
  assert.is(questions, 1);
});

test('undoing a move or a link keeps a client that was chosen since', async ({
  services: { documents },
  build,
  asha,
  file: { id },
}) => {
  const [sharma, meera] = [await build.client(asha, 'Sharma'), await build.client(asha, 'Meera')];
  const theirs = await documents.createFolder(asha, { name: 'Sharma', parent_id: null, client_id: sharma });
  const moved = await documents.move(asha, { ids: [id], parent_id: theirs.id });
  await documents.setClient(asha, id, { client_id: meera });
  const undone = await documents.undoMove(asha, moved);
  const what = 'Linked to "Meera" by Asha Rao a moment ago. It stays as it is.';
  assert.equal(
    undone.failed.map(({ message }) => message),
    [what],
  );
  const item = await documents.item(asha, id);
  assert.equal([item.parent_id, item.client_id], [null, meera]);
  const seen = [{ id, client_id: sharma, undoing: true }];
  const unlinking = { ids: [id], client_id: null, contents: 'none' as const, seen };
  assert.is((await documents.setClientOfMany(asha, unlinking)).failed[0]?.message, what);
});

test.run();
