import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { assign, colleague } from '#server/testing/colleague.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld, memoryBlobs } from '#server/testing/world.ts';
import { readAll } from './testing/office.ts';

interface Office extends World {
  actor: Actor;
  /** Runs the function when a blob is next opened, that is, while a file is being read. */
  meanwhile: (what: () => Promise<unknown>) => void;
}

const test = suite<Office>('changes while a file is being read');
test.before.each(async (office) => {
  const blobs = memoryBlobs();
  let what: (() => Promise<unknown>) | null = null;
  Object.assign(
    office,
    await freshWorld({
      scans: 'light',
      blobs: {
        ...blobs,
        async get(...asked) {
          const next = what;
          what = null;
          await next?.();
          return blobs.get(...asked);
        },
      },
    }),
  );
  office.actor = await office.build.actor();
  office.meanwhile = (next) => void (what = next);
});
test.after.each((office) => office.close());

const refusal = (error: { status?: number }) => error.status;
const found = async ({ services }: Office, actor: Actor, query: string) =>
  (await services.reading.find(actor, query, 5)).hits.map(({ item }) => item.name);

test('a file moved and renamed while it is read is found by its new name in its new folder', async (office) => {
  const { services, build, actor, meanwhile } = office;
  const folder = await build.folder(actor, 'Later');
  const { id } = await build.file(actor, { name: 'a.txt', content: 'Gratuity of Kaveri' });
  meanwhile(async () => {
    await services.documents.move(actor, { ids: [id], parent_id: folder.id });
    await services.documents.rename(actor, id, { name: 'b.txt' });
  });
  await readAll(office);
  const [hit] = (await services.reading.find(actor, 'gratuity', 5)).hits;
  assert.equal([hit!.item.id, hit!.item.name, hit!.item.parent_id], [id, 'b.txt', folder.id]);
});

test('a file replaced while it is read is found by its new text, and not by its old one', async (office) => {
  const { services, build, actor, meanwhile } = office;
  const { id } = await build.file(actor, { name: 'a.txt', content: 'Gratuity of Kaveri' });
  meanwhile(() =>
    build.file(actor, { name: 'a.txt', content: 'Provident fund of Iyer', conflict: 'replace' }),
  );
  await readAll(office);
  assert.equal(await found(office, actor, 'provident'), ['a.txt']);
  assert.equal(await found(office, actor, 'gratuity'), []);
  assert.is((await services.reading.text(actor, id)).texts[0]!.text, 'Provident fund of Iyer');
});

test('a user whose access is withdrawn while a file is read does not find it and gets 404', async (office) => {
  const { services, build, actor, meanwhile } = office;
  const client = await build.client(actor);
  const ravi = await colleague(office, actor, {
    permissions: actor.permissions.filter((one) => one !== 'documents.unassigned'),
  });
  await assign(office, ravi, [client]);
  const { id } = await build.file(actor, { name: 'a.txt', content: 'Gratuity of Kaveri', client_id: client });
  meanwhile(() => assign(office, ravi, []));
  await readAll(office);
  assert.equal(await found(office, ravi, 'gratuity'), []);
  assert.is(await services.reading.state(ravi, id).catch(refusal), 404);
  assert.equal(await found(office, actor, 'gratuity'), ['a.txt']);
});

test('when reading is paused during a page of a scan, that page is kept, and the next ones are read after resuming', async (office) => {
  const { services, build, actor, meanwhile } = office;
  const blank = await sharp({ create: { width: 60, height: 80, channels: 3, background: 'white' } })
    .png()
    .toBuffer();
  const content = await sharp([blank, blank, blank], { join: { animated: true } })
    .tiff()
    .toBuffer();
  const { id } = await build.file(actor, { name: 'scan.tiff', content });
  await readAll(office);
  meanwhile(() => services.reading.pause(actor, true));
  const never = new AbortController().signal;
  assert.is(await services.reading.scan(never), 1, 'the page that was begun is kept');
  assert.is(await services.reading.scansDue(), false);
  assert.is((await services.reading.state(actor, id)).scan!.read, 1);
  await services.reading.pause(actor, false);
  assert.is(await services.reading.scan(never), 2);
  await readAll(office);
  const { state, scan } = await services.reading.state(actor, id);
  assert.equal([state, scan!.read, scan!.failed], ['no_text', 3, 0]);
});

test.run();
