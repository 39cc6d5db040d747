import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { attached, eml } from '#server/previews/testing/mails.ts';
import { zip } from '#server/sheets/testing/workbook.ts';
import { pdf } from '../tools/samples.ts';
import type { InnerRef } from './contract.ts';
import type { Office } from './testing/recipient.ts';
import { eachOffice, recipient } from './testing/recipient.ts';

const test = suite<Office>('what lies within a shared file');
eachOffice(test);

const MAIL = eml(
  ['From: a@b.in', 'Subject: About it'],
  [
    { head: ['Content-Type: text/plain'], body: 'See attached.' },
    attached('challan.txt', 'text/plain', Buffer.from('paid')),
  ],
);

test('recipients can open single files of a shared ZIP, folder by folder, and the attachments of a shared e-mail', async (office) => {
  const { build, asha, share, address, services } = office;
  const content = zip({ 'Bank/April.txt': 'the statement', 'note.txt': 'a note' });
  const pack = await build.file(asha.actor, { name: 'pack.zip', content });
  const mail = await build.file(asha.actor, { name: 'a.eml', content: MAIL });
  const link = await share([pack.id, mail.id], { max_downloads: 4 });
  const priya = recipient(office, address, link.url);
  const names = async (id: number, path?: string) => {
    const page = await services.sharing.recipients.file(priya.visitor, id, path);
    return page.state === 'file' && page.inside?.entries.map(({ name, key }) => [name, key]);
  };
  assert.equal(await names(pack.id), [
    ['Bank', 'Bank'],
    ['note.txt', 'note.txt'],
  ]);
  assert.equal(await names(pack.id, 'Bank'), [['April.txt', 'Bank/April.txt']]);
  assert.equal(
    (await names(pack.id, '../..')) || [],
    await names(pack.id),
    'what is no folder of it is its top',
  );
  assert.equal(await names(mail.id), [['challan.txt', '1']]);

  const one = await priya.get(await priya.send(`/download/${pack.id}`, { entry: 'Bank/April.txt' }));
  assert.is(await one.text(), 'the statement');
  assert.match(one.headers.get('content-disposition')!, /^attachment; .*April\.txt/);
  const paid = await priya.get(await priya.send(`/download/${mail.id}`, { attachment: '1' }));
  assert.is(await paid.text(), 'paid');
  assert.is(
    await priya.send(`/download/${pack.id}`, { entry: 'no such file' }),
    '',
    'and nothing is counted',
  );
  assert.is((await services.sharing.links.list(asha.actor))[0]!.downloads, 2, 'each is a download');

  const looker = recipient(office, address, (await share([pack.id, mail.id], { mode: 'view' })).url);
  const seen = await looker.file(pack.id);
  assert.is(seen.state === 'file' && seen.inside?.entries.length, 2, 'by name');
  assert.is(await looker.send(`/download/${pack.id}`, { entry: 'note.txt' }), '');
  assert.is(await looker.send(`/download/${mail.id}`, { attachment: '1' }), '');
  const covered = recipient(office, address, (await share([pack.id], { mask_aadhaar: true })).url);
  const closed = await covered.file(pack.id);
  assert.is(closed.state === 'file' && closed.inside, null);
  assert.match(await covered.send(`/download/${pack.id}`, { entry: 'note.txt' }), 'said=withheld');
});

test('a recipient who may download views an entry or an attachment page by page, which is recorded as a viewing and not a download', async (office) => {
  const { build, asha, share, address, services, db } = office;
  const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'navy' } })
    .jpeg()
    .toBuffer();
  const content = zip({
    'Bank/note.txt': '<script>alert(1)</script>',
    'return.pdf': pdf([['One'], ['Two']]),
    'seal.jpg': picture,
    'torn.pdf': 'no PDF',
    'inner.zip': 'PK',
  });
  const pack = await build.file(asha.actor, { name: 'pack.zip', content });
  const mail = await build.file(asha.actor, { name: 'a.eml', content: MAIL });
  const link = await share([pack.id, mail.id], { max_downloads: 4 });
  const priya = recipient(office, address, link.url);
  const { recipients } = services.sharing;
  const top = await priya.file(pack.id);
  assert.equal(top.state === 'file' && top.inside?.entries.map(({ name, shown }) => [name, shown]), [
    ['Bank', false],
    ['inner.zip', false],
    ['return.pdf', true],
    ['seal.jpg', true],
    ['torn.pdf', true],
  ]);

  const looked = async (id: number, wanted: InnerRef) => {
    const page = await recipients.inner(priya.visitor, id, wanted);
    return page.state === 'inner' ? [page.entry.name, page.pages, page.why] : page.state;
  };
  assert.equal(await looked(pack.id, { entry: 'return.pdf' }), ['return.pdf', 2, null]);
  assert.equal(await looked(pack.id, { entry: 'Bank/note.txt' }), ['note.txt', 1, null]);
  assert.equal(await looked(mail.id, { attachment: 1 }), ['challan.txt', 1, null]);
  assert.equal(await looked(pack.id, { entry: 'torn.pdf' }), ['torn.pdf', 0, 'unreadable']);
  assert.is(await looked(pack.id, { entry: '../x' }), 'file', 'what is not there leads back to the list');
  assert.is(await looked(pack.id, { entry: 'inner.zip' }), 'file');

  const ways = [
    `/inside/${pack.id}/2?entry=return.pdf`,
    `/inside/${pack.id}/1?entry=Bank%2Fnote.txt`,
    `/inside/${pack.id}/1?entry=seal.jpg`,
    `/inside/${mail.id}/1?attachment=1`,
  ];
  for (const way of ways) {
    const got = await priya.get(way);
    assert.is(got.status, 200, way);
    assert.is(got.headers.get('content-type'), 'image/webp');
    assert.match(got.headers.get('content-security-policy')!, /^sandbox; default-src 'none'/);
    assert.is(got.headers.get('cache-control'), 'private, no-store');
    assert.is((await sharp(Buffer.from(await got.arrayBuffer())).metadata()).format, 'webp');
  }
  const status = async (way: string) => (await priya.get(way)).status;
  assert.is(await status(`/inside/${pack.id}/1?entry=torn.pdf`), 422);
  assert.is(await status(`/inside/${pack.id}/2?entry=seal.jpg`), 404);
  assert.is(await status(`/inside/${pack.id}/1?entry=inner.zip`), 404);
  assert.is(await status(`/inside/${pack.id}/1`), 404);

  assert.is((await services.sharing.links.list(asha.actor))[0]!.downloads, 0, 'none is a download');
  const noted = await db('audit_events').where({ did: 'document.download' }).orderBy('id').pluck('detail');
  const said = noted.map((text: string) => JSON.parse(text) as Record<string, unknown>);
  assert.equal(
    said.map(({ inline, entry, attachment }) => [inline, entry ?? attachment]),
    [
      [true, 'return.pdf'],
      [true, 'Bank/note.txt'],
      [true, 'challan.txt'],
    ],
  );

  const looker = recipient(office, address, (await share([pack.id, mail.id], { mode: 'view' })).url);
  const names = await looker.file(pack.id);
  assert.is(names.state === 'file' && names.inside?.entries.some(({ shown }) => shown), false);
  for (const way of ways) assert.is((await looker.get(way)).status, 403, 'names only');
  const stays = await recipients.inner(looker.visitor, pack.id, { entry: 'return.pdf' });
  assert.is(stays.state, 'file');
  const covered = recipient(office, address, (await share([pack.id, mail.id], { mask_aadhaar: true })).url);
  for (const way of ways) assert.is((await covered.get(way)).status, 404, 'no number would be covered');
  const other = await build.file(asha.actor, { name: 'other.zip', content });
  assert.is(await status(`/inside/${other.id}/1?entry=seal.jpg`), 404, 'of what was not shared nothing');
});

test.run();
