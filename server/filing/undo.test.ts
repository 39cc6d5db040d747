import * as assert from 'uvu/assert';
import { FORM_16 } from '#server/fields/testing/recognised.ts';
import { rejects } from '#server/testing/rejects.ts';
import type { Office } from './testing/office.ts';
import { asFiled, filingSuite, scan, suggested } from './testing/office.ts';

const test = filingSuite('undoing a filing');

const placeOf = async ({ services, actor }: Office, id: number) =>
  (await services.documents.item(actor, id)).parent_id;

test('an undo of which nothing succeeded can be repeated, or a document would stay misfiled after its folder is back', async (office) => {
  const { services, actor, build, db } = office;
  const inbox = (await build.folder(actor, 'Inbox')).id;
  const id = await scan(office, FORM_16, { parent_id: inbox });
  const { run } = await services.filing.file(actor, { files: [asFiled(await suggested(office, id))] });
  await services.documents.remove(actor, [inbox]);
  const failed = await services.filing.undo(actor, run!);
  assert.equal([failed.filed.length, failed.failed.length], [0, 1]);
  assert.is((await services.filing.runs(actor)).find((one) => one.id === run)!.undone, false);

  await services.trash.restore(actor, { ids: [inbox] });
  const undone = await services.filing.undo(actor, run!);
  assert.equal([undone.filed.length, undone.failed.length], [1, 0]);
  assert.is(await placeOf(office, id), inbox);
  await rejects(services.filing.undo(actor, run!), 409);
  assert.is((await db('audit_events').where('did', 'filing.undo')).length, 1);
});

test('what an undo could not restore can be undone later, and what it restored is not restored twice', async (office) => {
  const { services, actor, build } = office;
  const [kept, lost] = [await build.folder(actor, 'Kept'), await build.folder(actor, 'Lost')];
  const first = await scan(office, FORM_16, { parent_id: kept.id });
  const second = await scan(office, FORM_16, { parent_id: lost.id });
  const suggestions = [await suggested(office, first), await suggested(office, second)];
  const { run } = await services.filing.file(actor, { files: suggestions.map((one) => asFiled(one)) });
  await services.documents.remove(actor, [lost.id]);
  const half = await services.filing.undo(actor, run!);
  assert.equal([half.filed.map(({ id }) => id), half.failed.map(({ id }) => id)], [[first], [second]]);
  assert.equal(
    (await services.filing.runs(actor)).slice(0, 2).map(({ files, undone }) => [files, undone]),
    [
      [1, true],
      [1, false],
    ],
  );
  await services.filing.setInbox(actor, kept.id, { inbox: true, by_itself: true });
  assert.is(await services.filing.work(new AbortController().signal), 0, 'its filing was undone');

  await services.filing.file(actor, { files: [asFiled(await suggested(office, first))] });
  const refiled = await placeOf(office, first);
  await services.trash.restore(actor, { ids: [lost.id] });
  const rest = await services.filing.undo(actor, run!);
  assert.equal([rest.filed.map(({ id }) => id), rest.failed], [[second], []]);
  assert.is(await placeOf(office, second), lost.id);
  assert.is(await placeOf(office, first), refiled, 'it was filed anew since');
});

test('an undo removes the folders that the filing made, but no folder that was there before or is in use since', async (office) => {
  const { services, actor, build, db } = office;
  const client = await build.client(actor, 'Iyer Stores');
  const names = async () =>
    (await db('items').where({ client_id: client, type: 'folder' }).orderBy('id').pluck('name')) as string[];
  const request = async (folder: string[]) => ({
    ...asFiled(await suggested(office, await scan(office), actor, client)),
    folder,
  });
  const first = await services.filing.file(actor, { files: [await request(['Before', 'GST'])] });
  assert.equal(await names(), ['Iyer Stores', 'Before', 'GST']);
  const second = await services.filing.file(actor, {
    files: [await request(['Before', 'Bank']), await request(['Notices'])],
  });
  const [notices] = await db('items').where({ client_id: client, name: 'Notices' }).pluck('id');
  await build.file(actor, { name: 'of somebody.pdf', parent_id: notices, content: 'theirs' });
  await services.filing.undo(actor, second.run!);
  assert.equal(await names(), ['Iyer Stores', 'Before', 'GST', 'Notices']);
  await services.filing.undo(actor, first.run!);
  assert.equal(await names(), ['Iyer Stores', 'Notices']);
  assert.equal(await db('trash').select('item_id'), [], 'empty folders would only fill Trash');
});

test.run();
