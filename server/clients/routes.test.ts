import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bearer } from '../testing/visitor.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';

interface Desk {
  base: string;
  headers: Record<string, string>;
  ask: (method: string, path: string, body?: unknown) => Promise<{ status: number; json: Answer }>;
  send: (path: string, form: FormData) => Promise<{ status: number; json: Answer }>;
}
interface Answer {
  success: boolean;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test looks at what came, whatever that is
  data: any;
  message?: string;
  errors?: Record<string, string[]>;
  code?: string;
}

const test = suite<World & Desk>('client routes');
test.before.each(async (world) => {
  Object.assign(world, await freshWorld());
  world.base = await world.serve();
  world.headers = bearer((await world.build.account()).token);
  const read = async (response: Response) => ({
    status: response.status,
    json: (await response.json()) as Answer,
  });
  world.ask = async (method, path, body) =>
    read(
      await fetch(world.base + path, {
        method,
        headers: { ...world.headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    );
  world.send = async (path, body) =>
    read(await fetch(world.base + path, { method: 'POST', headers: world.headers, body }));
});
test.after.each((world) => world.close());

const file = (content: string | Uint8Array<ArrayBuffer>, mapping?: unknown): FormData => {
  const form = new FormData();
  if (mapping !== undefined)
    form.set('mapping', typeof mapping === 'string' ? mapping : JSON.stringify(mapping));
  form.set('file', new Blob([content]), 'clients.csv');
  return form;
};

test('the client list is in data.data, next to the totals', async ({ ask }) => {
  const made = await ask('POST', '/api/clients', { name: 'Meera Iyer' });
  assert.is(made.status, 201);
  const { json } = await ask('GET', '/api/clients');
  assert.equal(
    json.data.data.map(({ name }: { name: string }) => name),
    ['Meera Iyer'],
  );
  assert.equal(json.data.totals, { total: 1, active: 1, companies: 0 });
  const options = await ask('GET', '/api/clients/options');
  assert.equal(options.json.data, [{ value: made.json.data.id, label: 'Meera Iyer' }]);
});

test('PUT and PATCH both change a client, an outdated version gets 409, and a deleted client 404', async ({
  ask,
}) => {
  const { id } = (await ask('POST', '/api/clients', { name: 'Rao' })).json.data;
  assert.is((await ask('PUT', `/api/clients/${id}`, { name: 'Rao', city: 'Pune', version: 1 })).status, 200);
  const late = await ask('PATCH', `/api/clients/${id}`, { name: 'Rao', version: 1 });
  assert.equal([late.status, late.json.code], [409, 'client_changed']);
  assert.is((await ask('DELETE', `/api/clients/${id}`)).json.message, 'Client deleted.');
  for (const method of ['GET', 'PUT', 'DELETE'])
    assert.is(
      (await ask(method, `/api/clients/${id}`, method === 'PUT' ? { name: 'x' } : undefined)).status,
      404,
    );
});

test('every field that is too long or of a wrong type is reported, and no client is created', async ({
  ask,
}) => {
  const long = 'x'.repeat(5000);
  const fields = [
    'name',
    'email',
    'phone',
    'city',
    'pan',
    'gstin',
    'tan',
    'cin',
    'born_on',
    'address',
    'group_name',
    'notes',
  ];
  for (const wrong of [long, 7, { $gt: '' }, ['a'], true]) {
    const body = Object.fromEntries([...fields, 'client_type', 'status'].map((field) => [field, wrong]));
    const { status, json } = await ask('POST', '/api/clients', body);
    assert.is(status, 422);
    assert.equal(Object.keys(json.errors ?? {}).toSorted(), [...fields, 'client_type', 'status'].toSorted());
  }
  for (const body of ['{', '[]', '"x"', 'null'])
    assert.is((await ask('POST', '/api/clients', body)).status, 400);
  assert.is((await ask('GET', '/api/clients')).json.data.totals.total, 0);
});

test('fields that are not in the form are ignored, such as id, firm and version', async ({ ask, db }) => {
  const evil = { name: 'x', firm_id: 999, id: 77, version: 9, search_text: 'evil', created_at: 'never' };
  const { id, version } = (await ask('POST', '/api/clients', evil)).json.data;
  assert.is.not(id, 77);
  assert.is(version, 1);
  await ask('PUT', `/api/clients/${id}`, { ...evil, version: 1, __proto__: { role: 'admin' } });
  const row = await db('clients').where({ id }).first();
  assert.is.not(row.firm_id, 999);
  assert.is(row.search_text, 'x');
});

test('invalid filters, sort orders and cursors are refused with 422, and invalid ids with 404', async ({
  ask,
}) => {
  for (const query of [
    'status=Gone',
    'client_type=x',
    'sort=password_hash',
    'direction=up',
    'limit=0',
    'limit=9999',
    'limit=1e3',
    'cursor=x',
  ])
    assert.is((await ask('GET', `/api/clients?${query}`)).status, 422, query);
  const { json } = await ask('GET', `/api/clients?cursor=${'x'.repeat(2001)}`);
  assert.match(json.message ?? '', 'Load the list again');
  for (const id of ['0', '-1', '1.5', 'abc', '9'.repeat(30), '%00'])
    assert.is((await ask('GET', `/api/clients/${id}`)).status, 404, id);
});

test('an import file is previewed and then imported; an invalid mapping is refused with 422', async ({
  ask,
  send,
}) => {
  const list = 'Name,PAN\nMeera Iyer,AAAPZ0000A\n';
  const { json } = await send('/api/clients/import/preview', file(list));
  assert.equal(json.data.counts, { create: 1, update: 0, same: 0, error: 0 });
  for (const mapping of ['{', '"name"', ['name', 'name'], ['evil', null], [null, 'pan']])
    assert.is((await send('/api/clients/import', file(list, mapping))).status, 422);
  assert.is((await send('/api/clients/import', file(list))).status, 422, 'without a mapping');
  const faulty = file(list, ['name', 'pan']);
  faulty.set('skip', '["2"]');
  assert.is((await send('/api/clients/import', faulty)).status, 422);
  const done = await send('/api/clients/import', file(list, ['name', 'pan']));
  assert.equal(done.json.data, { created: 1, updated: 0, unchanged: 0, left_out: 0 });
  assert.is((await ask('GET', '/api/clients?search=aaapz')).json.data.data.length, 1);
});

test('an import file that is not a table, too large, missing or malformed is refused with a message', async ({
  send,
  base,
  headers,
}) => {
  const path = '/api/clients/import/preview';
  const png = new Uint8Array(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
  assert.match((await send(path, file(png))).json.message ?? '', 'not a CSV or Excel file');
  const large = await send(path, file('x'.repeat(5 * 1024 * 1024 + 1)));
  assert.equal([large.status, large.json.message?.includes('over 5 MB')], [413, true]);
  assert.is((await send(path, new FormData())).status, 422);
  const two = file('Name\nx\n');
  two.append('file', new Blob(['Name\ny\n']), 'b.csv');
  assert.is((await send(path, two)).status, 422);
  const cut = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nName\n';
  for (const type of ['multipart/form-data; boundary=x', 'multipart/form-data']) {
    const response = await fetch(base + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': type },
      body: cut,
    });
    assert.is(response.status, 400, type);
  }
  const json = await fetch(base + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{}',
  });
  assert.is(json.status, 415);
});

test('the export is a CSV file for Excel with the filtered clients', async ({ ask, base, headers }) => {
  await ask('POST', '/api/clients', { name: '=1+1', status: 'Inactive' });
  await ask('POST', '/api/clients', { name: 'Rao' });
  const response = await fetch(`${base}/api/clients/export?status=Inactive`, { headers });
  assert.match(
    response.headers.get('content-disposition') ?? '',
    /^attachment; filename="clients-2026-11-20\.csv"$/,
  );
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.equal([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
  const lines = bytes.toString().trim().split('\r\n');
  assert.equal([lines.length, lines[1]?.startsWith(`"'=1+1",`)], [2, true]);
});

test('only an export that was sent is in the history and counts as a download, not a request for its headers', async ({
  base,
  headers,
  db,
}) => {
  const exports = () => db('audit_events').where({ did: 'client.export' });
  assert.is((await fetch(`${base}/api/clients/export`, { method: 'HEAD', headers })).status, 200);
  assert.is((await exports()).length, 0);
  await (await fetch(`${base}/api/clients/export`, { headers })).text();
  assert.is((await exports()).length, 1);
});

test('without a session all client routes get 401', async ({ base }) => {
  for (const path of ['', '/options', '/export', '/1', '/1/tied'])
    assert.is((await fetch(`${base}/api/clients${path}`)).status, 401, path);
});

test.run();
