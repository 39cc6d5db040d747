import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';

const test = suite<World & { actor: Actor }>('group commit');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld());
  office.actor = await office.build.actor();
});
test.after.each((office) => office.close());

test('files that arrive together share the statements of the history and of the recents, and each has its own entry and place', async ({
  db,
  build,
  actor,
  services,
}) => {
  const statements: string[] = [];
  db.on('query', ({ sql }: { sql: string }) => void statements.push(sql));
  const names = ['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf', 'e.pdf'];
  const files = await Promise.all(names.map((name) => build.file(actor, { name, content: name })));
  const count = (start: string) => statements.filter((sql) => sql.startsWith(start)).length;
  assert.is(count('INSERT INTO item_rows'), names.length);
  for (const start of ['INSERT INTO audit_events', 'INSERT INTO audit_links', 'INSERT INTO touches'])
    assert.ok(count(start) < names.length, start);
  for (const { id, name } of files) {
    const { data } = await services.audit.list(actor, { item: id });
    assert.equal(
      data.map(({ did, detail }) => [did, detail.name]),
      [['document.upload', name]],
    );
  }
  const recents: number[] = await db('touches').where({ user_id: actor.userId }).pluck('item_id');
  assert.equal(new Set(recents), new Set(files.map(({ id }) => id)));
  assert.equal((await services.audit.prove(null)).faults, []);
});

test('a file that is refused leaves no entry in the history, and the others of its group are saved', async ({
  db,
  build,
  actor,
  services,
}) => {
  const parents = [null, 999, null, 999];
  const results = await Promise.allSettled(
    parents.map((parent_id, index) => build.file(actor, { name: `${index}.pdf`, parent_id })),
  );
  assert.equal(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
  );
  const entries = await db('audit_events').where({ did: 'document.upload' }).count({ count: '*' }).first();
  assert.is(Number(entries!.count), 2);
  assert.equal((await services.audit.prove(null)).faults, []);
});

test.run();
