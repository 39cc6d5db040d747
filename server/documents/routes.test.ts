import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BAD_CURSOR } from '../http/cursor.ts';
import { NO_FOLDER } from '../text/not-there.ts';
import type { TestResponse } from '../testing/visitor.ts';
import { Visitor, bearer } from '../testing/visitor.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import { FILE_GROUPS, MAX_ITEMS_PER_CALL } from './contract.ts';

interface Office extends World {
  /** Calls as the firm's admin. */
  call(method: string, path: string, body?: unknown): Promise<TestResponse>;
  base: string;
}

const test = suite<Office>('documents: calls');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld());
  const { token } = await office.build.account();
  office.base = await office.serve();
  const visitor = new Visitor(office.base);
  office.call = (method, path, body) =>
    visitor.call(method, `/api/documents${path}`, {
      headers: bearer(token),
      ...(body !== undefined && { body }),
    });
});
test.after.each((office) => office.close());

const folder = async ({ call }: Office, name: string, parent_id: number | null = null): Promise<number> =>
  (await call('POST', '/folder', { name, parent_id, client_id: 'no-client' })).json.data.id;

test('a client that cannot be one is refused in the words of the upload, on each call that names one', async (office) => {
  const id = await folder(office, 'Clients');
  for (const client_id of ['abc', 1.5, -1, {}])
    for (const [method, path, body] of [
      ['POST', '/folder', { name: 'q3', client_id }],
      ['POST', '/client', { ids: [id], client_id }],
      ['POST', '/client/preview', { ids: [id], client_id }],
      ['PATCH', `/${id}/client`, { client_id }],
    ] as const) {
      const { status, json } = await office.call(method, path, body);
      assert.is(status, 422, path);
      assert.equal(json.errors, { client_id: ['Choose a client from the list'] }, path);
    }
});

test('the undo of a move of as many items as one call moves is taken, with their names and clients', async ({
  call,
}) => {
  const ids = Array.from({ length: MAX_ITEMS_PER_CALL }, (_, n) => 1_000_000 + n);
  const name = (n: number) =>
    `Statement of the current account with HDFC Bank, Anna Nagar, April 2025 (${n}).pdf`;
  const { status, json } = await call('POST', '/move/undo', {
    moved: ids.map((id) => ({
      id,
      parent_id: 1_000_000,
      to: 1_000_001,
      renamed: { from: name(1), to: name(2) },
    })),
    former: ids.map((id) => ({ id, client_id: null, to: 10_000 })),
    merged: [],
  });
  assert.equal([status, json.errors], [422, { parent_id: [NO_FOLDER] }]);
});

test('a folder is made, listed, renamed, moved and deleted', async (office) => {
  const { call } = office;
  const made = await call('POST', '/folder', { name: ' Sharma ', parent_id: null, client_id: null });
  assert.is(made.status, 201);
  assert.is(made.json.success, true);
  const { id, name } = made.json.data;
  assert.is(name, 'Sharma');
  const target = await folder(office, 'Clients');
  assert.is(
    (await call('PATCH', `/${id}/rename`, { name: 'Sharma & Sons' })).json.data.name,
    'Sharma & Sons',
  );
  assert.equal((await call('POST', '/move', { ids: [id, 999], parent_id: target })).json.data, {
    done: [id],
    failed: [{ id: 999, name: null, message: 'This item does not exist, or you have no access to it.' }],
    former: [],
    clients: [],
    moved: [{ id, parent_id: null, to: target }],
    merged: [],
    later: false,
  });
  const inside = await call('GET', `?parent_id=${target}`);
  assert.equal(inside.json.data.breadcrumbs, [{ id: target, name: 'Clients' }]);
  assert.is(inside.json.data.items[0].name, 'Sharma & Sons');
  assert.is((await call('DELETE', `/${target}`)).status, 200);
  assert.is((await call('DELETE', `/${target}`)).status, 404);
  assert.equal((await call('GET', '')).json.data, { items: [], breadcrumbs: [], next_cursor: null });
});

test('a call renames many items, which may exchange their names, and answers like the other calls on many', async (office) => {
  const ids = [await folder(office, '2024-25'), await folder(office, '2025-26')];
  const names = [...ids, 999].map((id, index) => ({ id, name: ['2025-26', ' 2024-25 ', 'x'][index] }));
  assert.equal((await office.call('POST', '/rename', { names })).json.data, {
    done: ids,
    failed: [{ id: 999, name: null, message: 'This item does not exist, or you have no access to it.' }],
  });
  assert.is((await office.call('GET', `/${ids[0]}`)).json.data.name, '2025-26');
});

test('search answers a list with its total; too little is an empty success', async (office) => {
  await folder(office, 'Form 16');
  const found = await office.call('GET', '/search?query=form%2016');
  assert.equal(
    [found.json.success, found.json.data.length, found.json.total, found.json.more, found.json.clients],
    [true, 1, 1, false, []],
  );
  for (const query of ['', '?query=', '?query=%20f%20', '?query=%00%00', '?query=%22%2a']) {
    const { status, json } = await office.call('GET', `/search${query}`);
    assert.equal([status, json.success, json.data, json.total], [200, true, [], 0], query);
  }
});

test('a download link stands at the top level and in the data', async (office) => {
  const id = await folder(office, 'a');
  const { json } = await office.call('POST', `/${id}/download-token`);
  assert.ok(json.download_url.startsWith(`/api/documents/${id}/content?token=`));
  assert.is(json.data.download_url, json.download_url);
});

test('invalid input is reported by field, in the agreed format', async ({ call }) => {
  const wrong: [string, string, unknown, string, string][] = [
    ['POST', '/folder', {}, 'name', 'Please enter a folder name'],
    ['POST', '/folder', { name: '  ' }, 'name', 'Please enter a folder name'],
    ['POST', '/folder', { name: '\u200b' }, 'name', 'Please enter a folder name'],
    [
      'POST',
      '/folder',
      { name: 'x', parent_id: 99 },
      'parent_id',
      'This folder does not exist, or you have no access to it.',
    ],
    [
      'POST',
      '/folder',
      { name: 'x', parent_id: '1; DROP' },
      'parent_id',
      'This folder does not exist, or you have no access to it.',
    ],
    [
      'POST',
      '/folder',
      { name: 'x', client_id: 99 },
      'client_id',
      'This client does not exist, or you have no access to it.',
    ],
    ['POST', '/folder', { name: 'x'.repeat(300) }, 'name', 'A name can have at most 255 characters.'],
    [
      'POST',
      '/move',
      { ids: [1], parent_id: 99 },
      'parent_id',
      'This folder does not exist, or you have no access to it.',
    ],
    ['POST', '/move', { ids: [] }, 'ids', 'Choose at least one item'],
    ['POST', '/rename', { names: [] }, 'names', 'Choose at least one item'],
    [
      'POST',
      '/rename',
      { names: Array.from({ length: 1001 }, (_, id) => ({ id: id + 1, name: 'x' })) },
      'names',
      'Rename at most 1,000 items at once',
    ],
    ['POST', '/delete', { ids: 'all' }, 'ids', 'Choose at least one item'],
    ['POST', '/delete', { ids: [1.5] }, 'ids', 'This item does not exist, or you have no access to it.'],
    ['GET', '?sort=password_hash', undefined, 'sort', 'Choose one of: name, owner, modified, size'],
    ['GET', '?limit=0', undefined, 'limit', 'Give a number from 1 to 1000'],
    ['GET', '?cursor=abc', undefined, 'cursor', BAD_CURSOR],
    [
      'GET',
      '/files?group=secrets',
      undefined,
      'group',
      `Choose one of: ${Object.keys(FILE_GROUPS).join(', ')}`,
    ],
    ['GET', '/files?client_id=1%20OR%201', undefined, 'client_id', 'Choose a client from the list'],
    ['GET', '/files?owner_id=-1', undefined, 'owner_id', 'Choose a person from the list'],
    ['GET', '/files?from=31-12-2025', undefined, 'from', 'Give a date as year-month-day'],
    ['GET', '/files?sort=owner', undefined, 'sort', 'Choose one of: name, modified, size'],
    ['GET', '/files?limit=1001', undefined, 'limit', 'Give a number from 1 to 1000'],
    ['GET', '/files?cursor=WzFd', undefined, 'cursor', BAD_CURSOR],
  ];
  for (const [method, path, body, field, message] of wrong) {
    const { status, json } = await call(method, path, body);
    assert.is(status, 422, `${method} ${path} ${JSON.stringify(body)}`);
    assert.equal([json.success, json.message, json.errors[field]], [false, message, [message]]);
    assert.type(json.request_id, 'string');
  }
});

test('a folder whose name, place and client are all wrong is refused with all three, so that one more try suffices', async ({
  call,
}) => {
  const { status, json } = await call('POST', '/folder', { name: 'a/b', parent_id: 99999, client_id: 99999 });
  assert.is(status, 422);
  assert.equal(json.errors, {
    name: [String.raw`A name cannot contain any of these: / \ : * ? " < > |`],
    parent_id: ['This folder does not exist, or you have no access to it.'],
    client_id: ['This client does not exist, or you have no access to it.'],
  });
  assert.is(json.message, json.errors.name[0]);
});

test('an invalid id is a 404, like one that never existed', async ({ call }) => {
  for (const id of ['0', '-1', '1.5', 'abc', '1e3', '9'.repeat(30), '%00', '..%2f1']) {
    for (const [method, path, body] of [
      ['DELETE', '', undefined],
      ['PATCH', '/rename', { name: 'x' }],
      ['PATCH', '/client', { client_id: null }],
      ['POST', '/download-token', undefined],
    ] as const) {
      assert.is((await call(method, `/${id}${path}`, body)).status, 404, `${method} ${id}${path}`);
    }
  }
});

test('without a session every call is refused', async ({ base }) => {
  for (const path of ['', '/search?query=form']) {
    const response = await fetch(`${base}/api/documents${path}`);
    assert.is(response.status, 401);
  }
});

test('no answer shows where bytes lie, or more than the view lists', async (office) => {
  const { token, actor } = await office.build.account();
  await office.build.file(actor, { name: 'a.pdf' });
  const got = await new Visitor(office.base).get('/api/documents', { headers: bearer(token) });
  assert.equal(Object.keys(got.json.data.items[0]).toSorted(), [
    'children_count',
    'client',
    'client_id',
    'client_name',
    'created_at',
    'file_size',
    'file_type',
    'formatted_file_size',
    'id',
    'modified_at',
    'name',
    'original_at',
    'owner_id',
    'owner_name',
    'parent_id',
    'path',
    'seal',
    'size',
    'type',
    'uploaded_at',
  ]);
});

test.run();
