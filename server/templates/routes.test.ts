import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bearer } from '../testing/visitor.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';

interface Answer {
  // oxlint-disable-next-line typescript/no-explicit-any -- a test looks at what came, whatever that is
  data: any;
  message?: string;
  errors?: Record<string, string[]>;
}
interface Desk {
  ask: (method: string, path: string, body?: unknown) => Promise<{ status: number; json: Answer }>;
  client: number;
  base: string;
}

const test = suite<World & Desk>('routes of folder templates');
test.before.each(async (world) => {
  Object.assign(world, await freshWorld());
  world.base = await world.serve();
  const { token, actor } = await world.build.account();
  world.client = await world.build.client(actor);
  world.ask = async (method, path, body) => {
    const response = await fetch(`${world.base}/api/templates${path}`, {
      method,
      headers: { ...bearer(token), 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, json: (await response.json()) as Answer };
  };
});
test.after.each((world) => world.close());

test('a template is created, changed, previewed, applied and deleted', async ({ ask, client }) => {
  const made = await ask('POST', '', { name: 'Trusts', outline: '{fy}\n  10B' });
  assert.is(made.status, 201);
  const { id } = made.json.data;
  const changed = await ask('PUT', `/${id}`, { name: 'Trusts', outline: '{fy}\n  10B\n  10BB', version: 1 });
  assert.is(changed.json.data.folders, 3);
  assert.is((await ask('GET', '')).json.data.at(-1).name, 'Trusts');
  const wish = { client_ids: [client], fy: '2026-27' };
  assert.is((await ask('POST', `/${id}/preview`, wish)).json.data.created, 4);
  assert.is((await ask('POST', `/${id}/apply`, wish)).json.message, 'Created 4 folders for 1 client.');
  assert.is(
    (await ask('POST', `/${id}/apply`, wish)).json.message,
    'No folders were created: 4 were there already.',
  );
  assert.is((await ask('DELETE', `/${id}`)).status, 200);
  assert.is((await ask('DELETE', `/${id}`)).status, 404);
});

test('errors are reported by field: too many clients, no clients, an invalid year, a name or outline that is not text', async ({
  ask,
  client,
}) => {
  const wrong = async (body: object) => (await ask('POST', '/gst/apply', body)).json.errors;
  const fy = '2026-27';
  const many = Array.from({ length: 201 }, (_, index) => index + 1);
  assert.equal(await wrong({ client_ids: many, fy }), { client_ids: ['Choose at most 200 clients at once'] });
  for (const client_ids of [[], undefined, ['1'], [0], [1.5], 'all'])
    assert.equal(await wrong({ client_ids, fy }), { client_ids: ['Choose at least one client'] });
  for (const year of ['2026-28', '2026', 26])
    assert.equal(await wrong({ client_ids: [client], fy: year }), {
      fy: ['Give a financial year such as 2026-27'],
    });
  assert.equal(await wrong({ client_ids: [client] }), { fy: ['Choose the financial year'] });
  const made = await ask('POST', '', { name: ' ', outline: 7 });
  assert.equal(made.json.errors, { name: ['Please enter a name'], outline: ['Enter at least one folder'] });
  const faulty = await ask('POST', '', { name: 'A', outline: 'A\n B' });
  assert.equal(faulty.json.errors, {
    outline: ['Line 2: Indent with two spaces, or a tab, for each level.'],
  });
});

test('an unknown template gives 404, and a request without a session gives 401', async ({
  ask,
  client,
  base,
}) => {
  const wish = { client_ids: [client], fy: '2026-27' };
  for (const id of ['nothing', '0', '99999', '%2e%2e', 'toString']) {
    assert.is((await ask('POST', `/${id}/apply`, wish)).status, 404, id);
    assert.is((await ask('PUT', `/${id}`, { name: 'A', outline: 'A' })).status, 404, id);
  }
  for (const [method, path] of [
    ['GET', ''],
    ['POST', ''],
    ['PUT', '/gst'],
    ['DELETE', '/gst'],
    ['POST', '/gst/preview'],
    ['POST', '/gst/apply'],
  ] as const) {
    const headers = { ...bearer('nobody'), 'content-type': 'application/json' };
    const response = await fetch(`${base}/api/templates${path}`, {
      method,
      headers,
      ...(method !== 'GET' && { body: '{}' }),
    });
    assert.is(response.status, 401, `${method} ${path}`);
  }
});

test.run();
