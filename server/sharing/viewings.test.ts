import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inRequest } from '#server/http/request-context.ts';
import { zip } from '#server/sheets/testing/workbook.ts';
import { pdf, photo, png } from '../tools/samples.ts';
import type { Office } from './testing/recipient.ts';
import { oneOffice, recipient } from './testing/recipient.ts';

const test = suite<Office>('viewings by shared links');
oneOffice(test, { abuseLimits: true });

const viewed = async ({ db }: Office, id: number): Promise<{ detail: string }[]> =>
  db('audit_events')
    .where({ did: 'document.download', subject: `item:${id}` })
    .orderBy('id');
const OUTSIDE = { requestId: 'one', ip: '203.0.113.7' };

test('the page of a shared file is in the history once however often it is loaded, since its entries are never deleted', async (office) => {
  const { build, asha, share, address, advance } = office;
  const { id } = await build.file(asha.actor, { name: 'a.pdf', content: pdf([['Form 16']]) });
  const { url } = await share([id], { mode: 'view' });
  const priya = recipient(office, address, url);
  const load = () => inRequest(OUTSIDE, () => priya.file(id));
  await load();
  assert.is((await viewed(office, id)).length, 0, 'no page was shown yet');
  for (let n = 0; n < 3; n += 1) {
    const page = await load();
    assert.equal(page.state === 'file' && [page.pages, page.why], [1, null]);
    await (await priya.get(`/pages/${id}/1`)).arrayBuffer();
  }
  assert.is((await viewed(office, id)).length, 1);
  advance(16 * 60_000);
  await (await priya.get(`/pages/${id}/1`)).arrayBuffer();
  assert.is((await viewed(office, id)).length, 2, 'looked at again, much later');
});

test('a new version of a file and each part of a ZIP is in the history once, whatever the visitor has looked at shortly before', async (office) => {
  const { build, asha, share, address, services } = office;
  const { id } = await build.file(asha.actor, { name: 'signed.pdf', content: pdf([['Form 16']]) });
  const file = { name: 'years.zip', content: zip({ 'a.pdf': pdf([['2024']]), 'b.pdf': pdf([['2025']]) }) };
  const whole = await build.file(asha.actor, file);
  const priya = recipient(office, address, (await share([id, whole.id])).url);
  const load = (part?: string) =>
    inRequest(OUTSIDE, () =>
      part === undefined
        ? services.sharing.recipients.page(priya.visitor, id, 1)
        : services.sharing.recipients.inner(priya.visitor, whole.id, { entry: part }),
    );
  await load();
  await build.file(asha.actor, {
    name: 'signed.pdf',
    content: pdf([['Form 16, signed']]),
    conflict: 'replace',
  });
  for (let n = 0; n < 2; n += 1) await load();
  assert.is((await viewed(office, id)).length, 2);
  for (const part of ['a.pdf', 'a.pdf', 'b.pdf', 'a.pdf']) await load(part);
  const parts = (await viewed(office, whole.id)).map(
    ({ detail }) => (JSON.parse(detail) as { entry: string }).entry,
  );
  assert.equal(parts, ['a.pdf', 'b.pdf']);
});

test('a visitor with another cookie for every request is shown the pages, but does not flood the history', async (office) => {
  const { build, asha, share, address, db, services } = office;
  const { id } = await build.file(asha.actor, { name: 'a.pdf', content: pdf([['Form 16']]) });
  const { url } = await share([id], { mode: 'view' });
  const other = await share([id], { mode: 'view' });
  const look = async (at: string) => {
    const stranger = recipient(office, address, at);
    await inRequest(OUTSIDE, () => services.sharing.recipients.page(stranger.visitor, id, 1));
  };
  await look(url);
  await db('attempts').where('key', 'like', 'share_viewing:%').update({ count: 598 });
  for (let n = 0; n < 5; n += 1) await look(url);
  assert.is((await viewed(office, id)).length, 3, 'as many as the limit allows');
  await look(other.url);
  assert.is((await viewed(office, id)).length, 4, 'another link has a limit of its own');
});

test('visitors who send no cookie are in the history by their network, or it would name only the first', async (office) => {
  const { build, asha, share, address, services } = office;
  const { id } = await build.file(asha.actor, { name: 'b.pdf', content: pdf([['Form 16']]) });
  const { token } = recipient(office, address, (await share([id], { mode: 'view' })).url);
  for (const ip of ['203.0.113.7', '203.0.113.7', '198.51.100.9'])
    await inRequest({ requestId: ip, ip }, () =>
      services.sharing.recipients.page({ token, cookie: '', ip }, id, 1),
    );
  assert.is((await viewed(office, id)).length, 2);
});

test('originals of pictures and videos that are shown in place are in the history, once however many ranges a player requests', async (office) => {
  const { build, asha, share, address, advance, services } = office;
  const film = await build.file(asha.actor, { name: 'a.mp4', content: 'no real film' });
  const { id, url } = await share([film.id]);
  const priya = recipient(office, address, url);
  const get = async (headers: Record<string, string>) => {
    const got = await priya.get(`/files/${film.id}`, headers);
    await got.arrayBuffer();
    return got.status;
  };
  assert.is((await fetch(`${priya.base}/files/${film.id}`, { method: 'HEAD' })).status, 200);
  assert.is((await viewed(office, film.id)).length, 0, 'nothing was sent');
  assert.is(await get({}), 200);
  for (let n = 1; n < 4; n += 1) {
    advance(10 * 60_000);
    assert.is(await get({ range: `bytes=${n}-` }), 206);
  }
  const [row, ...more] = await viewed(office, film.id);
  const { recipient: who, link, inline, name } = JSON.parse(row!.detail);
  assert.equal([link, inline, name, more], [id, true, 'a.mp4', []]);
  assert.match(who, 'Anyone with the link');
  const { data } = await services.audit.list(asha.actor, { item: film.id });
  const entry = data.find(({ did }) => did === 'document.download')!;
  assert.equal(
    [entry.who, entry.place],
    ['Anyone with the link (shared link)', 'The server itself'],
    'the place stands once',
  );
  const shown = (await services.sharing.links.list(asha.actor)).find((one) => one.id === id)!;
  assert.equal([shown.opened, shown.downloads], [0, 0], 'as with pages, it is no opening and no download');
});

test('a large photo is sent as a smaller picture to be looked at, since its recipient may have a phone, and as it is if it cannot be drawn', async (office) => {
  const { build, asha, share, address } = office;
  const content = png(900, 600, () => [...randomBytes(3)] as [number, number, number]);
  const large = await build.file(asha.actor, { name: 'shop.png', content });
  const small = await build.file(asha.actor, { name: 'card.png', content: photo() });
  const broken = await build.file(asha.actor, { name: 'no picture.jpg', content: Buffer.alloc(2_000_000) });
  const priya = recipient(office, address, (await share([large.id, small.id, broken.id])).url);
  const pagesOf = async (id: number) => {
    const page = await priya.file(id);
    return page.state === 'file' && [page.item.shown, page.pages, page.why];
  };
  assert.equal(await pagesOf(large.id), ['picture', 1, null]);
  assert.equal(await pagesOf(small.id), ['picture', 0, null]);
  assert.equal(await pagesOf(broken.id), ['picture', 0, null]);
  const shown = Buffer.from(await (await priya.get(`/pages/${large.id}/1`)).arrayBuffer());
  assert.ok(shown.length < content.length / 2, `${shown.length} of ${content.length} bytes`);
});

test.run();
