import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Account } from '../../testing/access-world.ts';
import { CONTENT_TYPE, filePart, multipart } from '../../testing/multipart.ts';
import { bearer, Visitor } from '../../testing/visitor.ts';
import type { World } from '../../testing/world.ts';
import { freshWorld } from '../../testing/world.ts';
import { findTotalsFaults } from '../../tools/totals.ts';
import { textsOf } from './testing/texts.ts';

interface Office extends World {
  visitor: Visitor;
  asha: Account;
  id: number;
  /** Uploads this text over the file. @returns the version that holds what it replaced, by the answer. */
  put: (content: string, by?: Account) => Promise<number | null | undefined>;
  undo: (version: number, by?: Account) => ReturnType<Visitor['post']>;
  /** What the file holds now and held before, the newest first. */
  texts: () => Promise<string[]>;
}

const test = suite<Office>('an upload over a file, undone');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld());
  const asha = (await office.build.account()) as Account;
  const { id } = await office.build.file(asha.actor, { name: 'ITR.txt', content: 'first' });
  Object.assign(office, { asha, id, visitor: new Visitor(await office.serve()) });
  office.put = async (content, { token } = asha) => {
    const fields = { name: 'conflict', body: 'replace' };
    const headers = { 'content-type': CONTENT_TYPE, ...bearer(token) };
    const body = multipart([fields, filePart('ITR.txt', content)]);
    const { status, json, text } = await office.visitor.post('/api/documents/upload', body, { headers });
    assert.is(status, 201, text);
    return json.data.replaced_version;
  };
  office.undo = (version, { token } = asha) =>
    office.visitor.post(
      `/api/documents/${id}/versions/${version}/restore?undo=1`,
      {},
      { headers: bearer(token) },
    );
  office.texts = () => textsOf(office, asha.actor, id);
  office.advance(60_000);
});
test.after.each(async (office) => {
  assert.equal(await findTotalsFaults(office.db), []);
  office.services.previews.stop();
  await office.close();
});

test('the answer to an upload says which version holds what it replaced, which brings that back and keeps what was uploaded', async (office) => {
  const { services, asha, put, undo } = office;
  assert.is(await put('first'), null, 'the same content replaces nothing');
  const version = await put('second');
  const { status, json } = await undo(version!);
  assert.is(status, 200);
  assert.is(json.data.earlier.length, 2);
  assert.equal(await office.texts(), ['first', 'second', 'first']);
  const { data } = await services.audit.list(asha.actor, { limit: 2 });
  assert.equal(
    data.map(({ what }) => what),
    ['Restored an earlier version', 'Uploaded a new version'],
  );
  assert.is((await undo(version!)).json.code, 'same_content', 'a second click changes nothing');
});

test('nothing is undone where somebody has stored a newer version since, also if one of the two was deleted, and the answer names them', async (office) => {
  const { services, build, asha, id, put, undo, advance } = office;
  const ravi = (await build.colleague(asha.actor)) as Account;
  const first = (await put('second'))!;
  advance(60_000);
  const second = (await put('of Ravi', ravi))!;
  const refused = await undo(first);
  assert.equal([refused.status, refused.json.code], [409, 'replaced_again']);
  assert.match(refused.json.message, /^Ravi Kumar stored a newer version a moment ago\./);
  await services.versions.remove(asha.actor, { item: id, version: second });
  assert.is((await undo(first)).json.code, 'replaced_again');
  assert.equal(await office.texts(), ['of Ravi', 'first']);
  const { earlier } = await services.versions.restore(asha.actor, { item: id, version: first });
  assert.is(earlier.length, 2, 'the list of versions restores it all the same');
});

test('who may not change the file undoes nothing: without permission, of another firm, where it is sealed or deleted since', async (office) => {
  const { services, build, asha, id, put, undo } = office;
  const version = (await put('second'))!;
  const viewer = (await build.colleague(asha.actor, { role: 'viewer' })) as Account;
  assert.is((await undo(version, viewer)).status, 403);
  assert.is((await undo(version, (await build.account()) as Account)).status, 404);
  await services.seals.seal(asha.actor, id, { reason: 'As filed' });
  const sealed = await undo(version);
  assert.equal([sealed.status, sealed.json.code], [422, 'sealed']);
  assert.equal(await office.texts(), ['second', 'first']);
});

test('an upload to a file that a colleague has deleted since is not undone, and the answer says who deleted it', async (office) => {
  const { services, build, asha, id, put, undo } = office;
  const ravi = await build.colleague(asha.actor);
  const version = (await put('second'))!;
  await services.documents.remove(ravi.actor, [id]);
  const gone = await undo(version);
  assert.equal([gone.status, gone.json.message], [404, 'Deleted by Ravi Kumar a moment ago.']);
});

test('a legal hold forbids no undo, since nothing is deleted by it', async (office) => {
  const { services, build, asha, id, put, undo } = office;
  const client_id = await build.client(asha.actor);
  await services.documents.setClient(asha.actor, id, { client_id });
  const version = (await put('second'))!;
  await services.holds.place(asha.actor, client_id, { reason: 'Appeal' });
  assert.is((await undo(version)).status, 200);
  assert.equal(await office.texts(), ['first', 'second', 'first']);
});

test.run();
