import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rejects } from '../../testing/rejects.ts';
import type { World } from '../../testing/world.ts';
import { freshWorld } from '../../testing/world.ts';
import type { DuplicatesPage } from './contract.ts';

const test = suite<World>('duplicates');
test.before.each(async (office) => void Object.assign(office, await freshWorld()));
test.after.each((office) => office.close());

const told = ({ groups }: DuplicatesPage) =>
  groups.map(({ files, count, bytes, waste }) => [files.map(({ name }) => name), count, bytes, waste]);

test('files with the same content are grouped whatever their names, the largest saving first, and files in Trash do not count', async ({
  services: { duplicates, documents },
  build,
}) => {
  const actor = await build.actor();
  const folder = await build.folder(actor, 'Low');
  const put = (name: string, content: string, parent_id: number | null = null) =>
    build.file(actor, { name, content, parent_id });
  await put('a.txt', 'same');
  await put('renamed.txt', 'same', folder.id);
  await put('large.txt', 'x'.repeat(100));
  await put('large again.txt', 'x'.repeat(100));
  await put('alone.txt', 'alone');
  await put('empty.txt', '');
  await put('empty too.txt', '');
  const deleted = await put('deleted.txt', 'alone');
  await documents.remove(actor, [deleted.id]);
  const page = await duplicates.list(actor);
  assert.equal(told(page), [
    [['large.txt', 'large again.txt'], 2, 100, 100],
    [['a.txt', 'renamed.txt'], 2, 4, 4],
  ]);
  assert.is(page.groups[1]!.files[1]!.path, 'Low');
  assert.is(page.next_cursor, null);
});

test('copies that the user does not see do not count, so that nobody learns that somebody else has the same file', async ({
  services: { duplicates },
  build,
  db,
}) => {
  const actor = await build.actor();
  const [own, other] = [await build.client(actor, 'Own'), await build.client(actor, 'Other')];
  for (const [name, content, client_id] of [
    ['own.txt', 'both have it', own],
    ['other.txt', 'both have it', other],
    ['twice.txt', 'twice', own],
    ['twice again.txt', 'twice', own],
    ['twice hidden.txt', 'twice', other],
  ] as const)
    await build.file(actor, { name, content, client_id });
  const { actor: ravi } = await build.colleague(actor, { client_scope: 'assigned' });
  await db('user_clients').insert({ user_id: ravi.userId, client_id: own });
  assert.equal(told(await duplicates.list(ravi)), [[['twice.txt', 'twice again.txt'], 2, 5, 5]]);
  assert.is((await duplicates.list(actor)).groups.length, 2);
  const stranger = await build.actor();
  await build.file(stranger, { content: 'twice' });
  assert.equal((await duplicates.list(stranger)).groups, []);
});

test('duplicates are listed in pages, each group once', async ({ services: { duplicates }, build }) => {
  const actor = await build.actor();
  for (let index = 0; index < 23; index += 1)
    for (const name of [`a ${index}.txt`, `b ${index}.txt`])
      await build.file(actor, { name, content: `content ${(index % 20) + 10}${index}` });
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page: DuplicatesPage = await duplicates.list(actor, cursor);
    seen.push(...page.groups.map(({ sha256 }) => sha256));
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  assert.equal([seen.length, new Set(seen).size], [23, 23]);
  await rejects(duplicates.list(actor, 'nonsense'), 422);
});

test.run();
