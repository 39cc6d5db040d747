import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { queryRows } from '#server/db/sql.ts';
import { CONTENT_TYPE, filePart, multipart } from '#server/testing/multipart.ts';
import { sqliteOnly } from '#server/testing/postgres.ts';
import { Visitor, bearer } from '#server/testing/visitor.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';

interface Office extends World {
  visitor: Visitor;
  actor: Actor;
  token: string;
}

const test = suite<Office>('uploads of content that is already stored');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld());
  const visitor = new Visitor(await office.serve());
  Object.assign(office, { visitor, ...(await office.build.account()) });
});
test.after.each((office) => office.close());

const CONTENT = 'date,debit,credit';

interface Sent {
  name?: string;
  content?: string;
  token?: string;
  fields?: Record<string, string>;
}

/** Uploads a file with a form. */
async function upload(
  office: Office,
  { name = 'copy.csv', content = CONTENT, token = office.token, fields = {} }: Sent = {},
) {
  const parts = Object.entries(fields).map(([key, body]) => ({ name: key, body }));
  const { status, json, text } = await office.visitor.post(
    '/api/documents/upload',
    multipart([...parts, filePart(name, content)]),
    { headers: { ...bearer(token), 'content-type': CONTENT_TYPE } },
  );
  assert.is(status, 201, text);
  return json.data;
}

/** A file inside two nested folders. */
async function ledger({ build, actor }: Office) {
  const firm = await build.folder(actor, 'Sharma Traders');
  const year = await build.folder(actor, 'FY 2024-25', firm.id);
  const file = await build.file(actor, { name: 'ledger.csv', content: CONTENT, parent_id: year.id });
  const told = { id: file.id, name: 'ledger.csv', parent_id: year.id, path: 'Sharma Traders / FY 2024-25' };
  return { file, told };
}

test('the response names the oldest file with the same content and its folder, and the upload is stored anyway', async (office) => {
  const { told } = await ledger(office);
  assert.is((await upload(office, { content: 'something else' })).same_content, null);
  const item = await upload(office, { name: 'another.csv' });
  assert.equal(item.same_content, told);
  const { items } = await office.services.documents.folder(office.actor, null);
  assert.ok(items.some(({ id }) => id === item.id));
  assert.equal((await upload(office, { name: 'third.csv' })).same_content, told, 'the oldest of several');
  assert.is((await upload(office, { name: 'empty.csv', content: '' })).same_content, null);
  assert.is(
    (await upload(office, { name: 'empty too.csv', content: '' })).same_content,
    null,
    'all empty files are alike',
  );
});

test('a resumable upload gets the same response with its last piece, and when that is requested again', async (office) => {
  const { told } = await ledger(office);
  const { visitor, token } = office;
  const tus = { 'tus-resumable': '1.0.0', ...bearer(token) };
  const begun = await visitor.post('/api/documents/resumable', undefined, {
    headers: {
      ...tus,
      'upload-length': String(CONTENT.length),
      'upload-metadata': `filename ${btoa('copy.csv')}`,
    },
  });
  const path = begun.headers.get('location')!;
  const headers = { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
  const last = await visitor.call('PATCH', path, { body: CONTENT, headers });
  assert.equal(last.json.data.same_content, told);
  const again = await visitor.get(path, { headers: bearer(token) });
  assert.equal(again.json.data.same_content, told);
});

test('files that the user does not see are not named: neither those of other clients nor of other firms', async (office) => {
  const { build, actor, db } = office;
  const [own, other] = [await build.client(actor, 'Own'), await build.client(actor, 'Other')];
  const ravi = await build.colleague(actor, { client_scope: 'assigned' });
  await db('user_clients').insert({ user_id: ravi.actor.userId, client_id: own });
  await build.file(await build.actor(), { content: CONTENT });
  const hidden = await build.folder(actor, 'Other’s');
  const file = await build.file(actor, {
    name: 'hidden.csv',
    content: CONTENT,
    client_id: other,
    parent_id: hidden.id,
  });
  const asRavi = (name: string) =>
    upload(office, { name, token: ravi.token, fields: { client_id: String(own) } });
  const first = await asRavi('first.csv');
  assert.is(first.same_content, null);
  assert.is(
    (await asRavi('second.csv')).same_content.id,
    first.id,
    'their own is, though it is not the oldest',
  );
  assert.is((await upload(office, { name: 'by an admin.csv' })).same_content.id, file.id);
  // The folder above belongs to no client that this user sees.
  const inside = await build.file(actor, {
    content: 'below',
    client_id: own,
    parent_id: hidden.id,
    name: 'b.txt',
  });
  const { same_content } = await upload(office, {
    name: 'below.csv',
    content: 'below',
    token: ravi.token,
    fields: { client_id: String(own) },
  });
  assert.equal(same_content, { id: inside.id, name: 'b.txt', parent_id: null, path: '' });
});

test('a file in Trash is not named as a copy, nor is an earlier version of the file that the upload replaces', async (office) => {
  const { services, actor } = office;
  const { file } = await ledger(office);
  await services.documents.remove(actor, [file.id]);
  const item = await upload(office);
  assert.is(item.same_content, null, 'in Trash');
  const replace = (content: string) => upload(office, { content, fields: { conflict: 'replace' } });
  assert.is((await replace('corrected')).same_content, null);
  const back = await replace(CONTENT);
  assert.is(back.id, item.id);
  assert.is(back.same_content, null, 'an earlier version of its own');
  assert.is((await replace(CONTENT)).same_content, null, 'itself');
  assert.is(
    (await upload(office, { name: 'by its old content.csv', content: 'corrected' })).same_content,
    null,
  );
});

test('the copy is also named for an archive that is extracted', async (office) => {
  const first = await upload(office, { name: 'a.zip' });
  const second = await upload(office, { name: 'b.zip', fields: { extract_zip: '1' } });
  assert.ok(second.extraction_id);
  assert.is(second.same_content.id, first.id);
});

sqliteOnly(test)(
  'both kinds of readers find it by indexes alone, without a look at other files',
  async ({ services: { duplicates }, build, db }) => {
    const actor = await build.actor();
    const { actor: ravi } = await build.colleague(actor, { client_scope: 'assigned' });
    const ways = [
      [actor, /items_content \(firm_id=\? AND sha256=\?\)/],
      [ravi, /items_by_content \(firm_id=\? AND sha256=\? AND file_size=\? AND scope_client_id=\?\)/],
    ] as const;
    for (const [reader, way] of ways) {
      const asked: { sql: string; bindings: unknown[] }[] = [];
      const listen = (query: { sql: string; bindings: unknown[] }) => void asked.push(query);
      db.on('query', listen);
      await duplicates.copyOf(reader, 1);
      db.off('query', listen);
      assert.is(asked.length, 1, 'one question for what is new');
      const [{ sql, bindings }] = asked as [{ sql: string; bindings: number[] }];
      const plan = await queryRows<{ detail: string }>(db, `EXPLAIN QUERY PLAN ${sql}`, bindings);
      const details = plan.map(({ detail }) => detail);
      assert.ok(
        details.some((detail) => way.test(detail)),
        details.join('\n'),
      );
      assert.not.ok(details.some((detail) => detail.startsWith('SCAN item_rows')));
    }
  },
);

test.run();
