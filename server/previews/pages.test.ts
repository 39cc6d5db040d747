import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pdf } from '#server/tools/samples.ts';
import { bearer } from '#server/testing/visitor.ts';
import { LOWEST_PRIORITY } from '#server/sandbox/sandbox.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import { createPreviews } from './service.ts';
import { attached, eml } from './testing/mails.ts';
import { docx, drawing, encrypted, paragraph, run, workbook } from './testing/office.ts';

interface Office extends World {
  base: string;
  admin: Awaited<ReturnType<World['build']['account']>>;
  ravi: Awaited<ReturnType<World['build']['colleague']>>;
  /** Requests pages as Ravi, who has no download permission, or with another user's token. */
  look(id: number, what: string, token?: string): Promise<Response>;
  add(name: string, content: Buffer | string): Promise<number>;
}

const test = suite<Office>('pages for view-only users');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld());
  const base = await office.serve();
  const admin = await office.build.account();
  const ravi = await office.build.colleague(admin.actor);
  await office.services.team.change(admin.actor, ravi.actor.userId, { taken: ['documents.download'] });
  const look: Office['look'] = (id, what, token = ravi.token) =>
    fetch(`${base}/api/documents/${id}/${what}`, { headers: bearer(token) });
  const add: Office['add'] = async (name, content) =>
    (await office.build.file(admin.actor, { name, content })).id;
  Object.assign(office, { base, admin, ravi, look, add });
});
test.after.each(async (office) => {
  office.services.previews.stop();
  await office.close();
});

interface ResponseBody {
  message: string;
  code: string;
  data: { pages: number };
}
const bodyOf = async (response: Response) => (await response.json()) as ResponseBody;
async function picture(response: Response): Promise<Buffer> {
  assert.is(response.status, 200);
  assert.is(response.headers.get('content-type'), 'image/jpeg');
  return Buffer.from(await response.arrayBuffer());
}
const plain = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } });

/** Grey levels of a picture, row by row, at half the size: enough to compare, and JPEG's noise is gone. */
async function levels(bytes: Buffer): Promise<Buffer> {
  const { width } = await sharp(bytes).metadata();
  return sharp(bytes)
    .resize(Math.round(width / 2))
    .greyscale()
    .raw()
    .toBuffer();
}
/** The share of pixels in which two pictures clearly differ. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = [await levels(one), await levels(other)];
  assert.is(a.length, b.length, 'they are of one size');
  return a.filter((level, index) => Math.abs(level - b[index]!) > 15).length / a.length;
}

const LINES = 'Cash in hand          1,00,000.00\n'.repeat(150);
const ROWS = '<row r="1"><c r="A1" t="inlineStr"><is><t>Closing balance</t></is></c></row>';

test('every type that can be shown is shown as pictures of pages that browsers may not cache', async ({
  look,
  add,
}) => {
  const png = await plain(300, 120, '#2563eb').png().toBuffer();
  const files: Record<string, [content: Buffer | string, pages: number]> = {
    'a.pdf': [pdf([['Page one'], ['Page two'], ['Page three']]), 3],
    'a.png': [png, 1],
    'a.bmp': [await readBitmap(), 1],
    'a.svg': [
      '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><rect width="99" height="99"/></svg>',
      1,
    ],
    'a.tif': [await sharp(png).tiff().toBuffer(), 1],
    'a.txt': [LINES, 3],
    'empty.txt': ['', 1],
    'a.json': ['{"a":1}', 1],
    'a.csv': [`No,Name\n${'1,Sharma\n'.repeat(120)}`, 4],
    'a.xlsx': [workbook({ Ledger: { rows: ROWS }, GST: { rows: ROWS } }), 2],
    'a.docx': [
      docx(paragraph(run('And so on. '.repeat(900))) + paragraph(drawing('r:embed="rId5"')), {
        relations: { rId5: ['image', 'media/a.png'] },
        media: { 'a.png': png },
      }),
      2,
    ],
    'a.html': ['<table><tr><td rowspan=2>a<td>b<tr><td>c</table><ol><li>one<li>two</ol><hr><pre>a  b', 1],
    'a.eml': [
      eml(
        ['From: a@b.in', 'Subject: Form 16'],
        [
          { head: ['Content-Type: text/plain'], body: 'Dear Sir' },
          attached('Form.pdf', 'application/pdf', Buffer.from('x')),
        ],
      ),
      1,
    ],
  };
  for (const [name, [content, pages]] of Object.entries(files)) {
    const id = await add(name, content);
    assert.equal((await bodyOf(await look(id, 'pages'))).data, { pages }, name);
    const last = await look(id, `pages/${pages}`);
    assert.is(last.headers.get('cache-control'), 'no-store', name);
    assert.is(last.headers.get('etag'), null, name);
    const { width, height } = await sharp(await picture(last)).metadata();
    assert.ok(Math.max(width, height) >= 700, `${name}: what stands across it can be read`);
    const beyond = await look(id, `pages/${pages + 1}`);
    assert.is(beyond.status, 404, name);
    for (const what of ['view', 'view/body', 'attachments/1', 'download-token'])
      assert.ok((await look(id, what)).status >= 400, `${name} ${what}`);
  }
});

async function readBitmap(): Promise<Buffer> {
  const head = Buffer.alloc(54);
  head.write('BM');
  head.writeUInt32LE(54, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(4, 18);
  head.writeInt32LE(4, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  return Buffer.concat([head, Buffer.alloc(48, 0x80)]);
}

test('each page is stamped with the name, firm and time of the viewing, on light and dark pictures', async (office) => {
  const { look, add, build, admin, services } = office;
  const meera = await build.colleague(admin.actor, { name: 'Meera Nair' });
  await services.team.change(admin.actor, meera.actor.userId, { taken: ['documents.download'] });
  for (const [name, content] of [
    ['a.pdf', pdf([['Deed']])],
    ['dark.png', await plain(900, 700, '#080808').png().toBuffer()],
    ['light.jpg', await plain(900, 700, '#ffffff').jpeg().toBuffer()],
  ] as const) {
    const id = await add(name, content);
    assert.is((await look(id, 'pages')).status, 200);
    const first = await picture(await look(id, 'pages/1'));
    assert.ok(
      (await difference(first, await picture(await look(id, 'pages/1')))) < 0.001,
      `${name}: the same`,
    );
    const other = await picture(await look(id, 'pages/1', meera.token));
    assert.ok((await difference(first, other)) > 0.003, `${name}: another name`);
    office.advance(9.3 * 24 * 60 * 60_000);
    const later = await picture(await look(id, 'pages/1'));
    assert.ok((await difference(first, later)) > 0.001, `${name}: another time`);
  }
});

test('a file that cannot be shown is refused with the reason, and later files are shown', async ({
  look,
  add,
}) => {
  const locked = Buffer.from(
    `%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n` +
      `3 0 obj\n<< /Filter /Standard /V 1 /R 2 /O <${'00'.repeat(32)}> /U <${'11'.repeat(32)}> /P -4 >>\nendobj\n` +
      `trailer\n<< /Root 1 0 R /Encrypt 3 0 R /ID [<00><00>] /Size 4 >>\n%%EOF`,
  );
  for (const [name, content] of [
    ['broken.pdf', '%PDF-1.4 nothing'],
    ['locked.pdf', locked],
    ['locked.xlsx', encrypted('x')],
    ['torn.docx', 'PK'],
    ['torn.png', 'no picture'],
  ] as const) {
    const id = await add(name, content);
    for (let n = 0; n < 2; n += 1) {
      const { code, message } = await bodyOf(await look(id, 'pages'));
      assert.is(code, 'unreadable', name);
      assert.match(message, 'Ask an admin of your firm for it.', name);
    }
    assert.is((await look(id, 'pages/1')).status, 422, name);
  }
  for (const name of ['a.mp4', 'a.doc', 'a.zip', 'a.pfx']) {
    const { code, message } = await bodyOf(await look(await add(name, 'x'), 'pages'));
    assert.is(code, 'look_only', name);
    assert.is(message, "This type can't be viewed without download permission. Ask your admin.");
  }
  const good = await add('good.pdf', pdf([['Deed']]));
  assert.is((await look(good, 'pages')).status, 200);
});

test('a page that takes too much time or memory is refused, and later files are shown', async (office) => {
  const { services, blobs, build, admin, ravi, add } = office;
  const { documents, records, audit, jobs, auth, daily } = services;
  const looker = (await auth.actorOfSession(ravi.actor.sessionId))!;
  const id = await add('a.pdf', pdf([['Deed']]));
  const log = { info: () => {} };
  for (const limits of [{ milliseconds: 1, nice: LOWEST_PRIORITY }, { bytes: 1 }]) {
    const parts = { documents, records, blobs, jobs, audit, clock: office.now, daily, viewer: auth.viewer };
    const previews = createPreviews({ ...parts, log, limits });
    await previews.pages(looker, id).then(
      () => assert.unreachable(),
      ({ status }) => assert.is(status, 422),
    );
    previews.stop();
    await office.db('renditions').delete();
  }
  assert.is(await services.previews.pages(looker, id), 1);
  assert.is((await build.file(admin.actor, { name: 'b.txt' })).name, 'b.txt');
});

test('a viewing of several pages is recorded once, even if the number of pages is not requested', async (office) => {
  const { look, add, db, services, ravi } = office;
  const id = await add('a.pdf', pdf([['1'], ['2'], ['3']]));
  const rows = () => db('audit_events').where({ did: 'document.download' });
  for (const page of [1, 2, 3]) await picture(await look(id, `pages/${page}`));
  const [row, ...more] = await rows();
  assert.equal([row.user_id, row.subject, more], [ravi.actor.userId, `item:${id}`, []]);
  const { browser, ...detail } = JSON.parse(row.detail);
  assert.equal(detail, { name: 'a.pdf', inline: true, stamped: true });
  assert.is(browser, 'A program');
  await look(id, 'pages');
  await look(id, 'pages/1');
  assert.is((await rows()).length, 2, 'opened again');
  office.advance(16 * 60_000);
  await look(id, 'pages/1');
  assert.is((await rows()).length, 3, 'and again, much later');
  assert.is((await services.documents.recent(ravi.actor, 1))[0]?.id, id);
});

test('a page of a scan that is seen with download permission is in the history, even if nothing else is requested', async (office) => {
  const { look, add, db, admin } = office;
  const scan = await add('a.tif', await plain(200, 100, '#2563eb').tiff().toBuffer());
  for (let n = 0; n < 2; n += 1) await look(scan, 'pages/1', admin.token);
  const rows = await db('audit_events').where({ did: 'document.download', subject: `item:${scan}` });
  assert.equal(
    rows.map(({ user_id }) => user_id),
    [admin.actor.userId],
  );
});

test('users with download permission get scans without stamps, and nobody sees files of another firm', async (office) => {
  const { look, add, build, admin } = office;
  const id = await add('a.pdf', pdf([['Deed']]));
  const scan = await add('a.tif', await plain(200, 100, '#2563eb').tiff().toBuffer());
  assert.is((await look(id, 'pages', admin.token)).status, 404);
  assert.is((await look(scan, 'pages', admin.token)).status, 200);
  const clean = await look(scan, 'pages/1', admin.token);
  assert.is(clean.headers.get('content-type'), 'image/webp');
  assert.is((await sharp(Buffer.from(await clean.arrayBuffer())).metadata()).width, 200, 'as it is');
  assert.is((await sharp(await picture(await look(scan, 'pages/1'))).metadata()).width, 700);
  const stranger = await build.account();
  for (const what of ['pages', 'pages/1']) assert.is((await look(id, what, stranger.token)).status, 404);
});

test.run();
