import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { forge } from '#server/archive/read/testing/forge.ts';
import { encrypted } from '#server/previews/testing/office.ts';
import { pdf } from '#server/tools/samples.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import { createColumnSealer, SEALED } from '#server/db/column-encryption.ts';
import { createReading } from './service.ts';
import { everyType, readAll } from './testing/office.ts';

interface Office extends World {
  actor: Actor;
}

const test = suite<Office>('reading documents');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld());
  office.actor = await office.build.actor();
});
test.after.each((office) => office.close());

const WORDS = 'Contribution received from Meenakshi Textiles';
const refusal = (error: { status?: number }) => error.status;

test('text is read from every file type that offices use, with the format detected from the content and not from the name', async (office) => {
  const { services, build, actor } = office;
  const ids = new Map<string, number>();
  for (const [name, content] of Object.entries(everyType(WORDS)))
    ids.set(name, (await build.file(actor, { name, content })).id);
  assert.is(await readAll(office), ids.size);
  for (const [name, id] of ids) {
    const { state, texts, cut } = await services.reading.text(actor, id);
    assert.is(state, 'read', name);
    assert.is(cut, null, name);
    assert.match(texts.map(({ text }) => text).join('\n'), WORDS, name);
  }
  const paged = async (name: string) =>
    (await services.reading.text(actor, ids.get(name)!)).texts.map(({ page }) => page);
  assert.equal(await paged('a.pdf'), [1, 2]);
  assert.equal(await paged('a.pptx'), [1, 2]);
  const { texts, kind } = await services.reading.text(actor, ids.get('a.xlsx')!);
  assert.equal([kind, texts[0]!.label], ['sheet', 'Purchases']);
  const mail = await services.reading.text(actor, ids.get('a.eml')!);
  assert.match(mail.texts[0]!.text, 'Attached challan.pdf');
});

test('a file that cannot be read is marked with the reason, and the other files are still read', async (office) => {
  const { services, build, actor } = office;
  const cases: Record<string, [content: string | Buffer, state: string, reason: string | null]> = {
    'scan.pdf': [pdf([[], []]), 'no_text', null],
    'empty.txt': ['', 'no_text', null],
    'damaged.pdf': ['%PDF-1.4 and then nothing of the kind', 'refused', 'damaged'],
    'picture.pdf': [Buffer.from('ffd8ffe000104a46494600010100', 'hex'), 'refused', 'not_this_type'],
    'archive.pdf': [
      forge([{ name: 'one.pdf', data: pdf([['Purchase bill']]), method: 0 }]),
      'refused',
      'not_this_type',
    ],
    'log.txt': ['The scanner sent %PDF-1.4', 'read', null],
    'locked.docx': [encrypted('docx'), 'refused', 'locked'],
    'program.txt': [Buffer.alloc(5000, 1), 'refused', 'not_this_type'],
    'photo.jpg': ['no text of these is read', 'unread', null],
    'fine.txt': ['Fine words', 'read', null],
  };
  const ids = new Map<string, number>();
  for (const [name, [content]] of Object.entries(cases))
    ids.set(name, (await build.file(actor, { name, content })).id);
  await readAll(office);
  for (const [name, [, state, reason]] of Object.entries(cases)) {
    const view = await services.reading.state(actor, ids.get(name)!);
    assert.equal([view.state, view.reason], [state, reason], name);
  }
  assert.equal(await services.reading.progress(actor), {
    files: 9,
    read: 9,
    waiting: 0,
    no_text: 2,
    refused: 5,
    paused: false,
    on: false,
  });
  assert.is(await readAll(office), 0, 'none of them is tried again');
});

test('the stored text of a document has only the last four digits of an Aadhaar number', async (office) => {
  const { services, build, actor } = office;
  const { id } = await build.file(actor, { name: 'kyc.txt', content: 'Aadhaar 9999 4105 7058 of Ravi' });
  await readAll(office);
  const { texts } = await services.reading.text(actor, id);
  assert.is(texts[0]!.text, 'Aadhaar XXXX XXXX 7058 of Ravi');
});

test('a user who may only view gets no text and cannot have a file read again, and other firms get 404', async (office) => {
  const { services, build, actor } = office;
  const { id } = await build.file(actor, { name: 'a.txt', content: WORDS });
  await readAll(office);
  const looker = build.limited(actor);
  assert.is((await services.reading.state(looker, id)).state, 'read');
  assert.is(await services.reading.text(looker, id).catch(refusal), 403);
  assert.is(await services.reading.readAgain(looker, id).catch(refusal), 403);
  const stranger = await build.actor();
  for (const call of [services.reading.state, services.reading.text, services.reading.readAgain])
    assert.is(await call(stranger, id).catch(refusal), 404);
  assert.is((await services.reading.readAgain(actor, id)).state, 'waiting');
  assert.is(await readAll(office), 1);
});

test('while an admin has paused reading, files of that firm wait and those of other firms are read, and a manager cannot resume it', async (office) => {
  const { services, build, actor } = office;
  assert.is(await readAll(office), 0);
  const ids: number[] = [];
  for (const name of ['old.txt', 'new.txt']) ids.push((await build.file(actor, { name, content: name })).id);
  assert.is((await services.reading.pause(actor, true)).paused, true);
  assert.is(await services.reading.due(), false);
  assert.is(await readAll(office), 0);
  const other = await build.actor();
  await build.file(other, { name: 'other.txt', content: 'of another firm' });
  assert.is(await readAll(office), 1, 'other firms are read all the same');
  assert.is(await services.reading.pause({ ...actor, role: 'manager' }, false).catch(refusal), 403);
  await services.reading.pause(actor, false);
  assert.is(await services.reading.due(), true);
  await services.reading.work(AbortSignal.timeout(60_000));
  assert.equal(await Promise.all(ids.map(async (id) => (await services.reading.state(actor, id)).state)), [
    'read',
    'read',
  ]);
});

test('a text is deleted with the last file that has this content, together with its bytes and its entry in the index', async (office) => {
  const { services, build, actor, db, blobs } = office;
  const first = await build.file(actor, { name: 'a.txt', content: WORDS });
  const copy = await build.file(actor, { name: 'copy.txt', content: WORDS });
  assert.is(await readAll(office), 1, 'the same content is read once');
  const { blob_id } = await db('document_texts').first('blob_id');
  const gone = async (id: number) => {
    await services.documents.remove(actor, [id]);
    await services.trash.empty(actor);
    while ((await services.records.purge()) > 0);
    await readAll(office);
    await services.sweeper.drain();
  };
  await gone(first.id);
  assert.is(await blobs.has(blob_id), true);
  assert.is((await services.reading.state(actor, copy.id)).state, 'read');
  await gone(copy.id);
  assert.is(await blobs.has(blob_id), false);
  assert.equal(await db('document_texts').select(), []);
  assert.equal(await db('document_text_search').select(), []);
  assert.is((await services.sweeper.sweepOrphans({})).length, 0);
});

test('a file deleted while it is read leaves no text behind, and a file that is added again is read again', async (office) => {
  const { services, build, actor, db } = office;
  const file = await build.file(actor, { name: 'a.txt', content: WORDS });
  const reading = services.reading.work(new AbortController().signal);
  await services.documents.remove(actor, [file.id]);
  await services.trash.empty(actor);
  while ((await services.records.purge()) > 0);
  await reading;
  await readAll(office);
  assert.equal(await db('document_texts').select(), []);
  const again = await build.file(actor, { name: 'a.txt', content: WORDS });
  await readAll(office);
  assert.is((await services.reading.state(actor, again.id)).state, 'read');
});

test('a text whose stored bytes are lost is read from the file again', async (office) => {
  const { services, build, actor, db, blobs } = office;
  const { id } = await build.file(actor, { name: 'a.txt', content: WORDS });
  await readAll(office);
  await blobs.delete((await db('document_texts').first('blob_id')).blob_id);
  assert.equal((await services.reading.text(actor, id)).texts, []);
  await readAll(office);
  assert.is((await services.reading.text(actor, id)).texts[0]!.text, WORDS);
});

test('after a backup is restored, all files are read again, since a backup contains no texts', async (office) => {
  const { services, build, actor, db, blobs } = office;
  const files = await Promise.all(
    ['a', 'b'].map((name) => build.file(actor, { name: `${name}.txt`, content: name.repeat(9) })),
  );
  const before = await readAll(office);
  for (const { blob_id } of await db('document_texts').select('blob_id')) await blobs.delete(blob_id);
  const restarted = createReading({
    ...services,
    db,
    blobs,
    clock: office.now,
    log: { info() {} },
    seal: createColumnSealer(office.secret, SEALED.textIndex.purpose),
    on: true,
  });
  assert.is(await restarted.due(), true);
  assert.is(await restarted.work(new AbortController().signal), before);
  restarted.stop();
  for (const { id } of files) assert.is((await services.reading.text(actor, id)).texts.length, 1);
});

test('a file is said to be read no earlier than it came, since an earlier time would tell of equal files elsewhere', async (office) => {
  const { services, build, actor, advance } = office;
  await build.file(actor, { name: 'notice.txt', content: 'Scrutiny notice' });
  await readAll(office);
  advance(60_000);
  const guess = await build.file(actor, { name: 'guess.txt', content: 'Scrutiny notice' });
  const { read_at, state } = await services.reading.state(actor, guess.id);
  assert.is(state, 'read');
  assert.ok(read_at! >= guess.created_at);
});

test.run();
