import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';

interface Office extends World {
  actor: Actor;
}

const test = suite<Office>('documents.compare');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld());
  office.actor = await office.build.actor();
});
test.after.each((office) => office.close());

const asked = (name: string, size: number, path: string[] = []) => ({ name, size, path });

test('names are compared as the upload would store them: repaired, whatever their case', async (office) => {
  const { services, actor, build } = office;
  await build.file(actor, { name: 'Form 16.pdf', content: 'one' });
  await build.file(actor, { name: 'a_b.pdf', content: 'two' });
  await build.folder(actor, 'notes.txt');
  const files = [asked('FORM 16.PDF', 3), asked('a:b.pdf', 9), asked('new.pdf', 3), asked('notes.txt', 1)];
  const taken = await services.documents.compare(actor, { parent_id: null, files });
  assert.equal(
    taken.map(({ index, name, type }) => [index, name, type]),
    [
      [0, 'Form 16.pdf', 'file'],
      [1, 'a_b.pdf', 'file'],
      [3, 'notes.txt', 'folder'],
    ],
  );
});

test('the hash is told only where the size is the same, to be compared with', async (office) => {
  const { services, actor, build } = office;
  await build.file(actor, { name: 'a.txt', content: 'same' });
  const files = [asked('a.txt', 4), asked('a.txt', 5)];
  const taken = await services.documents.compare(actor, { parent_id: null, files });
  assert.is(taken[0]!.sha256, createHash('sha256').update('same').digest('hex'));
  assert.is(taken[1]!.sha256, null);
});

test('of a folder it is told what it holds and whose client it is, since a merge would give that client more', async (office) => {
  const { services, actor, build } = office;
  const { id } = await build.folder(actor, 'FY 2024-25');
  await build.file(actor, { name: 'a.txt', parent_id: id });
  const client = { id: await build.client(actor, 'Sharma Traders'), name: 'Sharma Traders' };
  await services.documents.setClient(actor, id, { client_id: client.id });
  const files = [asked('FY 2024-25', 0)];
  const [there] = await services.documents.compare(actor, { parent_id: null, files });
  assert.equal([there!.children_count, there!.client], [1, client]);
});

test('a conflict reports that the existing item is sealed, since it cannot be replaced', async (office) => {
  const { services, actor, build } = office;
  const file = await build.file(actor, { name: 'a.txt' });
  await build.file(actor, { name: 'b.txt' });
  await services.seals.seal(actor, file.id, { reason: 'Signed' });
  const files = [asked('a.txt', 4), asked('b.txt', 5)];
  const taken = await services.documents.compare(actor, { parent_id: null, files });
  assert.equal(
    taken.map(({ name, sealed }) => [name, sealed]),
    [
      ['a.txt', true],
      ['b.txt', false],
    ],
  );
});

test('a dropped folder is compared with the folder it will be merged into', async (office) => {
  const { services, actor, build } = office;
  const top = await build.folder(actor, 'Client');
  const gst = await build.folder(actor, 'GST', top.id);
  await build.file(actor, { name: '3B.pdf', parent_id: gst.id });
  const files = [
    asked('3B.pdf', 1, ['gst']),
    asked('3B.pdf', 1, ['GST', 'April']),
    asked('3B.pdf', 1, ['TDS']),
    asked('3B.pdf', 1),
  ];
  const taken = await services.documents.compare(actor, { parent_id: top.id, files });
  assert.equal(
    taken.map(({ index }) => index),
    [0],
  );
});

test('uploads to the folder of another firm are compared with nothing', async (office) => {
  const { services, actor, build } = office;
  const stranger = await build.actor();
  const theirs = await build.folder(stranger, 'Secret');
  await services.documents.compare(actor, { parent_id: theirs.id, files: [asked('a.txt', 1)] }).then(
    () => assert.unreachable(),
    (error) => assert.is(error.status, 422),
  );
  await build.file(stranger, { name: 'a.txt' });
  assert.equal(await services.documents.compare(actor, { parent_id: null, files: [asked('a.txt', 7)] }), []);
});

test('two replacements within a minute both keep what they replaced as versions of the one file', async (office) => {
  const { services, actor, blobs, build } = office;
  await build.file(actor, { name: 'a.txt', content: '1' });
  for (const text of ['2', '3']) {
    const blob = await blobs.put(Readable.from([Buffer.from(text)]));
    await services.documents.addFile(actor, {
      name: 'a.txt',
      parent_id: null,
      client_id: null,
      blob,
      conflict: 'replace',
    });
  }
  const { items } = await services.documents.folder(actor, null);
  assert.equal(
    items.map(({ name }) => name),
    ['a.txt'],
  );
  assert.is((await services.versions.list(actor, items[0]!.id)).earlier.length, 2);
  assert.equal(await services.records.recount(), []);
});

test('a folder is never replaced by a file', async (office) => {
  const { services, actor, blobs, build } = office;
  await build.folder(actor, 'a.txt');
  const blob = await blobs.put(Readable.from([Buffer.from('x')]));
  const place = { parent_id: null, client_id: null };
  const item = await services.documents.addFile(actor, {
    name: 'a.txt',
    ...place,
    blob,
    conflict: 'replace',
  });
  assert.is(item.name, 'a (2).txt');
});

test.run();
