import { once } from 'node:events';
import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import { bearer, Visitor } from '../testing/visitor.ts';
import { openHttpWorld } from '../testing/http-world.ts';
import { until } from '../testing/until.ts';

const test = suite<{ world: World; base: string; token: string; visitor: Visitor }>('hostile requests');
test.before(async (ctx) => {
  ctx.world = await freshWorld({ abuseLimits: false });
  ctx.base = await ctx.world.serve();
  ctx.token = (await ctx.world.build.account()).token;
  ctx.visitor = new Visitor(ctx.base);
});
test.after(({ world }) => world.close());

/** Sends bytes as they are. @returns all that came back until the server closed, or until it was silent. */
async function raw(base: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  await once(socket, 'connect');
  let said = '';
  socket.on('data', (piece: Buffer) => (said += piece.toString('latin1')));
  socket.on('error', () => {});
  socket.write(text);
  await Promise.race([once(socket, 'close'), until(() => /\r\n\r\n/.test(said))]);
  socket.destroy();
  return said;
}
const head = (line: string, ...more: string[]) =>
  [line, 'Host: 127.0.0.1', 'Connection: close', ...more, '', ''].join('\r\n');

test('ambiguous message framing is refused, so that a proxy and the server cannot disagree', async ({
  base,
}) => {
  const smuggled = 'GET /api/documents HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
  for (const headers of [
    ['Content-Length: 4', 'Transfer-Encoding: chunked'],
    ['Content-Length: 4', 'Content-Length: 5'],
    ['Transfer-Encoding: chunked, identity'],
    ['Content-Length: +4'],
  ]) {
    const said = await raw(base, `${head('POST /api/auth/login HTTP/1.1', ...headers)}0\r\n\r\n${smuggled}`);
    assert.match(said, /^HTTP\/1\.1 400 /, headers.join(', '));
    assert.is(said.match(/HTTP\/1\.1/g)?.length, 1, 'and what follows is not answered');
  }
  // Two Host headers, and a folded header line.
  assert.match(await raw(base, head('GET / HTTP/1.1', 'Host: other.example')), /^HTTP\/1\.1 400 /);
  assert.match(await raw(base, head('GET / HTTP/1.1', 'X-A: one\r\n two', 'X-B : 1')), /^HTTP\/1\.1 400 /);
});

test('a text with a NUL, which PostgreSQL cannot store, is no fault of the server', async ({
  token,
  visitor,
}) => {
  const owner = { headers: bearer(token) };
  const place = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
  for (const path of [
    '/api/trash?search=a%00b',
    '/api/retention/files?search=a%00b',
    '/api/clients?search=a%00b',
    `/api/documents?limit=5&cursor=${place('name', 'asc', 'file', 'a', '\0', 1)}`,
    `/api/clients?limit=5&cursor=${place('name', 'asc', 'a', '\0', 1)}`,
    `/api/documents/duplicates?cursor=${place('duplicates', 1, '\0')}`,
  ])
    assert.is((await visitor.get(path, owner)).status, path.includes('cursor') ? 422 : 200, path);
  const groups = { client_scope: 'all', groups: ['\0'] };
  const assigning = await visitor.call('PUT', '/api/team/1/clients', { ...owner, body: groups });
  assert.is(assigning.status, 422);
  const folder = await visitor.post('/api/documents/folder', { name: 'F' }, owner);
  const { id } = folder.json.data as { id: number };
  const note = await visitor.post(`/api/documents/${id}/notes`, { text: 'a\0b\nc' }, owner);
  assert.is((note.json.data as { text: string }).text, 'ab\nc');
});

test('a number that is no id is refused before PostgreSQL fails to read it', async ({ token, visitor }) => {
  const owner = { headers: bearer(token) };
  for (const [path, body] of [
    ['labels', { ids: [1e300], remove: [1] }],
    ['sums', { ids: [1e300] }],
    ['delete', { ids: [1e300] }],
    ['move', { ids: [1], parent_id: 1e300 }],
    ['folder', { name: 'F', client_id: 1e300 }],
  ] as const)
    assert.is((await visitor.post(`/api/documents/${path}`, body, owner)).status, 422, path);
});

test('no method echoes the request, since headers contain secrets', async ({ base }) => {
  for (const path of ['/', '/api/documents']) {
    const said = await raw(base, head(`TRACE ${path} HTTP/1.1`, 'Cookie: secret=of-the-browser'));
    assert.match(said, /^HTTP\/1\.1 4\d\d /, path);
    assert.not.match(said, 'of-the-browser');
  }
});

test('a repeated, list or object parameter is refused or read as a single one', async ({
  visitor,
  token,
}) => {
  const headers = bearer(token);
  for (const query of [
    'parent_id=1&parent_id=2',
    'parent_id[]=1',
    'parent_id[$gt]=0',
    'sort=name&sort=size',
    'cursor=a&cursor=b',
    '__proto__[admin]=1&constructor[prototype][admin]=1',
  ])
    for (const path of ['/api/documents', '/api/documents/files', '/api/clients', '/api/audit']) {
      const { status } = await visitor.get(`${path}?${query}`, { headers });
      assert.ok(status === 200 || status === 422 || status === 404, `${path}?${query}: ${status}`);
    }
});

test('a body with prototype names changes no object and sets no unknown field', async ({
  visitor,
  token,
  world,
}) => {
  const headers = bearer(token);
  const poison =
    '"__proto__": {"polluted": true, "role": "admin"}, "constructor": {"prototype": {"polluted": true}}';
  const extra = '"id": 999, "firm_id": 999, "role": "viewer", "permissions": [], "created_by": 999';
  for (const [method, path, fields] of [
    ['POST', '/api/clients', '"name": "Sharma", "client_type": "Individual"'],
    ['POST', '/api/documents/folder', '"name": "Taxes"'],
    ['PUT', '/api/auth/profile', '"name": "Asha"'],
    ['PUT', '/api/billing/details', '"name": "Rao & Co"'],
    ['POST', '/api/labels', '"name": "Urgent", "colour": "red"'],
    ['POST', '/api/templates', '"name": "ITR", "outline": "ITR"'],
  ] as const) {
    const body = `{${fields}, ${extra}, ${poison}}`;
    const { status, text } = await visitor.call(method, path, { headers, body });
    assert.ok(status < 300 || status === 422, `${path}: ${status} ${text}`);
    assert.is(({} as { polluted?: boolean }).polluted, undefined, path);
  }
  const own = await world.db('firms').pluck('id');
  for (const table of ['clients', 'items', 'users', 'labels', 'folder_templates'])
    for (const { id, firm_id } of await world.db(table).select('id', 'firm_id')) {
      assert.ok(own.includes(firm_id), table);
      assert.is.not(id, 999, table);
    }
  assert.equal(await world.db('users').pluck('role'), ['admin']);
});

test('line breaks in path or headers cannot inject a line into the log', async () => {
  const front = await openHttpWorld();
  try {
    const forged = '{"level":30,"msg":"all is well"}';
    const [line, agent] = [encodeURIComponent(`/x\n${forged}`), `x\u0085${forged}`];
    await new Visitor(front.base).get(`/${line}`, { headers: { 'user-agent': agent } });
    await until(() => front.logged.some((one) => one.includes('"request"')));
    for (const one of front.logged.join('').trimEnd().split('\n'))
      assert.is.not((JSON.parse(one) as { msg: string }).msg, 'all is well');
  } finally {
    await front.close();
  }
});

test.run();
