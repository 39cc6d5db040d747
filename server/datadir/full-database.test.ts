import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { fillDatabase, liftPageLimit } from '#server/testing/full-database.ts';
import { bearer, Visitor } from '#server/testing/visitor.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';

interface Office extends World {
  base: string;
  actor: Actor;
  token: string;
  visitor: Visitor;
  id: number;
  /** Fills the database, or frees space in it again. */
  full(yes?: boolean): Promise<void>;
  history(did: string): Promise<number>;
}

const test = suite<Office>('a database on a full disk');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld());
  const { db, build } = office;
  office.base = await office.serve();
  Object.assign(office, await build.account());
  office.visitor = new Visitor(office.base);
  ({ id: office.id } = await build.file(office.actor, { name: 'Form 16.pdf', content: 'what it says' }));
  office.full = async (yes = true) => {
    if (yes) await fillDatabase(db);
    else await liftPageLimit(db);
  };
  office.history = async (did) =>
    Number((await db('audit_events').where({ did }).count({ n: '*' }).first())!.n);
});
test.after.each((office) => office.close());

test('a download works while the disk is full, and is recorded in the history once there is space', async (office) => {
  const { visitor, id, token } = office;
  await office.full();
  const link = await visitor.post(`/api/documents/${id}/download-token`, {}, { headers: bearer(token) });
  assert.is(link.status, 200, link.text);
  const got = await visitor.get(link.json.download_url as string);
  assert.is(got.text, 'what it says');
  assert.is(await office.history('document.download'), 0);
  await office.full(false);
  await office.services.deferred.flush();
  assert.is(await office.history('document.download'), 1);
});

test('every writing call on a full disk gets 503 with a message of what still works', async (office) => {
  const { visitor, id, token } = office;
  await office.full();
  const headers = bearer(token);
  const long = 'a very long name '.repeat(11);
  const calls: [string, string, unknown, Record<string, string>?][] = [
    ['POST', '/api/documents/folder', { name: long }],
    ['POST', '/api/clients', { name: long, notes: 'n'.repeat(900) }],
    ['PATCH', `/api/documents/${id}/rename`, { name: `${long}.pdf` }],
    [
      'POST',
      '/api/documents/resumable',
      undefined,
      {
        'tus-resumable': '1.0.0',
        'upload-length': '9',
        'upload-metadata': `filename ${Buffer.from('a.pdf').toString('base64')},note ${Buffer.alloc(6000, 'n').toString('base64')}`,
      },
    ],
  ];
  const told: string[] = [];
  for (const [method, path, body, more] of calls) {
    const got = await visitor.call(method, path, {
      ...(body !== undefined && { body }),
      headers: { ...headers, ...more },
    });
    if (got.status === 404 || got.status === 405) assert.unreachable(`${method} ${path} is not there`);
    told.push(`${got.status} ${got.json.code}`);
    assert.match(
      String(got.json.message),
      /no room left on its disk.*Opening and downloading still work; deleting.* wait/s,
      path,
    );
  }
  assert.equal(
    told,
    calls.map(() => '503 disk_full'),
  );
  await office.full(false);
  assert.is((await visitor.post('/api/clients', { name: 'Meera' }, { headers })).status, 201);
});

test.run();
