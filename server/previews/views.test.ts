import { setTimeout as wait } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LOWEST_PRIORITY } from '#server/sandbox/sandbox.ts';
import { until } from '#server/testing/until.ts';
import { bearer } from '#server/testing/visitor.ts';
import type { FileView } from './contract.ts';
import { createPreviews } from './service.ts';
import { attached, eml } from './testing/mails.ts';
import { workbook } from './testing/office.ts';
import type { Office } from './testing/viewing.ts';
import { NOT_SHOWN, opensOffices } from './testing/viewing.ts';

const test = suite<Office>('views of file contents');
opensOffices(test);

test('a damaged file, or one of another type than its name says, is refused', async ({ refuses, shows }) => {
  const book = workbook({ A: { rows: '' } });
  const files: Record<string, Buffer | string> = {
    'text.docx': 'this is no document',
    'book.docx': book,
    'picture.csv': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    'torn.xlsx': book.subarray(0, book.length / 2),
    'torn.msg': Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600, 0xff)]),
    'empty.docx': 'PK',
  };
  for (const [name, content] of Object.entries(files))
    for (let n = 0; n < 2; n += 1) assert.is(await refuses(name, content), NOT_SHOWN, name);
  assert.is((await shows('good.csv', 'a,b')).kind, 'table');
});

test('a view is made once for all copies, stored encrypted, and deleted with the last copy', async (office) => {
  const copies = await Promise.all(
    ['a.csv', 'b.csv'].map((name) =>
      office.build.file(office.actor, { name, content: 'PAN,Name\nABCPS1234D,Sharma' }),
    ),
  );
  for (const { id } of copies) assert.is((await office.get(id)).status, 200);
  const rows = await office.db('renditions');
  assert.equal(
    rows.map(({ kind }) => kind),
    ['view csv'],
  );
  await office.services.documents.remove(
    office.actor,
    copies.map(({ id }) => id),
  );
  await office.services.sweeper.drain();
  assert.equal(await office.db('renditions'), []);
});

test('a file that crashes the reader is not tried again, and the next one is read', async (office) => {
  const { services, blobs, actor, build } = office;
  const { documents, records, audit, jobs, auth, daily } = services;
  const parts = { documents, records, blobs, jobs, audit, clock: office.now, daily, viewer: auth.viewer };
  let faults = 0;
  const log = { info: () => void (faults += 1) };
  const { id } = await build.file(actor, { name: 'a.csv', content: 'a,b' });
  for (const limits of [{ milliseconds: 1, nice: LOWEST_PRIORITY }, { bytes: 1 }]) {
    const previews = createPreviews({ ...parts, log, limits });
    for (let n = 0; n < 2; n += 1)
      await previews.view(actor, id).then(
        () => assert.unreachable(),
        (error) => assert.is(error.status, 422),
      );
    previews.stop();
    await office.db('renditions').delete();
  }
  assert.is(faults, 2);
  assert.is((await office.get(id)).status, 200);
});

test('views of another firm are not found, viewings are recorded, and other types have no view', async (office) => {
  const { get, build, actor, base } = office;
  const { id } = await build.file(actor, { name: 'a.eml', content: 'Subject: x\r\n\r\nhello' });
  const stranger = await build.account();
  for (const what of ['view', 'view/body', 'attachments/1']) {
    assert.is((await get(id, what, bearer(stranger.token))).status, 404);
    assert.is((await fetch(`${base}/api/documents/${id}/${what}`)).status, 401);
  }
  const other = await build.file(actor, { name: 'a.pdf' });
  for (const what of ['view', 'view/body', 'attachments/1'])
    assert.is((await get(other.id, what)).status, 404);
  office.advance(1000);
  assert.is((await get(id)).status, 200);
  assert.is((await get(id, 'view', { 'accept-encoding': 'identity' })).headers.get('content-encoding'), null);
  assert.is((await office.db('audit_events').where({ did: 'document.download' })).length, 2);
  const [recent] = await office.services.documents.recent(actor, 1);
  assert.is(recent?.id, id);
});

test('a letter that is read by its body alone is in the history once, and the type of a file decides how it is shown', async (office) => {
  const { build, actor, get, db } = office;
  const content = 'From: a@b.in\r\nSubject: Raid\r\nContent-Type: text/plain\r\n\r\n<p>Hello</p>\r\n';
  const page = await build.file(actor, { name: 'm.html', content });
  const mail = await build.file(actor, { name: 'm.eml', content });
  for (let n = 0; n < 2; n += 1) assert.is((await get(mail.id, 'view/body')).status, 200);
  const rows = await db('audit_events').where({ did: 'document.download', subject: `item:${mail.id}` });
  assert.is(rows.length, 1);
  const kindOf = async (id: number) => ((await (await get(id)).json()) as { data: FileView }).data.kind;
  assert.equal([await kindOf(page.id), await kindOf(mail.id)], ['document', 'mail']);
});

test('of e-mails whose attachments are asked for at once, one is in memory, and the others wait for their turn', async (office) => {
  const { services, blobs, actor, build } = office;
  const { documents, records, audit, jobs, auth, daily } = services;
  let reads = 0;
  const { promise: mayRead, resolve: goOn } = Promise.withResolvers<void>();
  const counted = {
    ...blobs,
    async get(...range: Parameters<typeof blobs.get>) {
      reads += 1;
      await mayRead;
      return blobs.get(...range);
    },
  };
  const log = { info() {} };
  const parts = { documents, records, jobs, audit, daily, log, clock: office.now, viewer: auth.viewer };
  const previews = createPreviews({ ...parts, blobs: counted });
  const forms = [1, 2, 3].map((n) => attached(`${n}.txt`, 'text/plain', Buffer.from(`form ${n}`)));
  const { id } = await build.file(actor, { name: 'a.eml', content: eml(['From: a@b.in'], forms) });
  const all = [1, 2, 3].map((index) => previews.attachment(actor, id, index));
  await until(() => reads > 0);
  await wait(50);
  assert.is(reads, 1);
  goOn();
  assert.equal(
    (await Promise.all(all)).map(({ bytes }) => String(bytes)),
    ['form 1', 'form 2', 'form 3'],
  );
  previews.stop();
});

test.run();
