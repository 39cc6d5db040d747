import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import yauzl from 'yauzl';
import { rejects } from '#server/testing/rejects.ts';
import { bytes } from '#server/testing/world.ts';
import { pdf } from '../tools/samples.ts';
import type { Office } from './testing/recipient.ts';
import { change, eachOffice, newLink, recipient } from './testing/recipient.ts';

let folders = 0;

const test = suite<Office>('what is shared by a link');
eachOffice(test);

test('a shared folder shows its present contents; one file is downloaded as it is, several as a ZIP that can be resumed', async (office) => {
  const { build, asha, share, address } = office;
  const folder = await build.folder(asha.actor, 'Audit 2026');
  const inner = await build.folder(asha.actor, 'Bank', folder.id);
  const note = await build.file(asha.actor, { name: 'note.txt', content: 'the note', parent_id: folder.id });
  await build.file(asha.actor, { name: 'April.txt', parent_id: inner.id });
  const priya = recipient(office, address, (await share([folder.id])).url);
  assert.equal(await priya.names(), ['Bank', 'note.txt']);
  assert.equal(await priya.names(inner.id), ['April.txt']);
  await build.file(asha.actor, { name: 'May.txt', parent_id: inner.id });
  assert.equal(await priya.names(inner.id), ['April.txt', 'May.txt'], 'what is put in later is there');

  const { recipients } = office.services.sharing;
  const cut = await recipients.list(priya.visitor, { after: 'no place of ours' });
  assert.is(cut.state === 'open' && cut.items.length, 2, 'an address that was cut begins at the top');

  const one = (await priya.download(note.id))!;
  assert.is(await one.text(), 'the note');
  assert.match(one.headers.get('content-disposition')!, /^attachment; .*note\.txt/);
  const to = await priya.send('/download/all');
  const whole = await priya.get(to);
  const zip = Buffer.from(await whole.arrayBuffer());
  const names: string[] = [];
  for await (const entry of (await yauzl.fromBufferPromise(zip)).eachEntry()) names.push(entry.fileName);
  assert.equal(names.toSorted(), [
    'Audit 2026/',
    'Audit 2026/Bank/',
    'Audit 2026/Bank/April.txt',
    'Audit 2026/Bank/May.txt',
    'Audit 2026/note.txt',
  ]);
  const rest = await priya.get(to, { range: 'bytes=10-', 'if-range': whole.headers.get('etag')! });
  assert.is(rest.status, 206);
  assert.equal(Buffer.from(await rest.arrayBuffer()), zip.subarray(10));
  const some = await priya.send('/download', [
    ['id', String(inner.id)],
    ['id', String(note.id)],
  ]);
  assert.match((await priya.get(some)).headers.get('content-disposition')!, '2 items.zip');
  assert.is(await priya.send('/download'), '?said=none', 'nothing ticked is not all of it');
});

test('items beside or above the shared ones cannot be opened by guessing their ids', async (office) => {
  const { build, asha, share, address, services } = office;
  const above = await build.folder(asha.actor, 'Sharma');
  const shared = await build.folder(asha.actor, 'For the bank', above.id);
  const sibling = await build.folder(asha.actor, 'Private', above.id);
  const secret = await build.file(asha.actor, { name: 'secret.txt', parent_id: sibling.id });
  const beside = await build.file(asha.actor, { name: 'beside.jpg', parent_id: above.id });
  const foreign = await build.file(await build.actor());
  const inside = await build.file(asha.actor, { name: 'inside.txt', parent_id: shared.id });
  const link = await share([shared.id]);
  const priya = recipient(office, address, link.url);
  for (const { id } of [above, sibling, secret, beside, foreign, { id: 999_999 }]) {
    assert.is(await priya.names(id), 'gone');
    assert.is((await priya.file(id)).state, 'gone');
    for (const path of [`/files/${id}`, `/pages/${id}/1`, `/thumbnails/${id}`])
      assert.is((await priya.get(path)).status, 404, path);
    assert.is(await priya.download(id), null);
  }
  assert.is(
    await priya.send('/download', [
      ['id', String(inside.id)],
      ['id', String(secret.id)],
    ]),
    '',
  );
  const page = await priya.page();
  const told = JSON.stringify([page, await priya.file(inside.id)]);
  for (const name of ['Sharma', 'Private', 'beside', 'secret']) assert.not.match(told, name);
  const other = await share([beside.id]);
  assert.is(
    (await recipient(office, address, other.url).get(`/files/${inside.id}`)).status,
    404,
    'nor by another link',
  );
  // A download that has begun gives nothing once its file has been moved out.
  const to = await priya.send(`/download/${inside.id}`);
  await services.documents.move(asha.actor, { ids: [inside.id], parent_id: sibling.id });
  assert.is((await priya.get(to)).status, 404);
  const led = await priya.get(to, { accept: 'text/html' });
  assert.equal(
    [led.status, led.headers.get('location')],
    [303, `/s/${priya.token}`],
    'a person sees the page',
  );
});

test('a link that has ended, was revoked or used up, never existed, or has nothing left to show looks the same to its visitor', async (office) => {
  const { build, asha, share, address, services } = office;
  const links = services.sharing.links;
  const file = async () =>
    (
      await build.file(asha.actor, {
        name: 'note.txt',
        parent_id: (await build.folder(asha.actor, `F ${(folders += 1)}`)).id,
      })
    ).id;
  const [ended, revoked, used, trashed, off] = [
    await file(),
    await file(),
    await file(),
    await file(),
    await file(),
  ];
  const made = {
    ended: await share([ended], { expires_on: '2026-11-20' }),
    revoked: await share([revoked]),
    used: await share([used], { max_downloads: 1 }),
    trashed: await share([trashed]),
  };
  const all = Object.entries(made).map(([name, { url }]) => [name, recipient(office, address, url)] as const);
  for (const [name, one] of all) assert.equal(await one.names(), ['note.txt'], name);
  await links.revoke(asha.actor, [made.revoked.id]);
  assert.is(await (await recipient(office, address, made.used.url).download())!.text(), 'content');
  await services.documents.remove(asha.actor, [trashed]);
  office.advance(10 * 60 * 60_000);
  const never = recipient(office, address, `/s/${'x'.repeat(43)}`);
  const answers = new Set<string>();
  for (const [name, one] of [...all, ['never', never] as const]) {
    assert.equal(await one.page(), { state: 'gone' }, name);
    for (const path of ['/files/1', `/get/${'x'.repeat(43)}`, '/pages/1/1', '/thumbnails/1']) {
      const got = await one.get(path);
      answers.add(`${got.status} ${(await got.text()).replaceAll(/[\da-f-]{36}/g, '')}`);
    }
    for (const path of ['/password', '/code', '/verify', '/open', '/download/all'])
      assert.is(await one.send(path), '', name);
  }
  assert.is(answers.size, 1, [...answers].join('\n'));
  await services.trash.restore(asha.actor, { ids: [trashed] });
  assert.equal(
    await recipient(office, address, made.trashed.url).names(),
    ['note.txt'],
    'it comes back with its file',
  );
  const on = recipient(office, address, (await share([off])).url);
  await links.set(asha.actor, { enabled: false, max_days: 90 });
  assert.is(await on.names(), 'gone');
  assert.match((await rejects(share([off]), 403)).message, 'switched off');
});

test('a link allows at most what its creator may do at the time, and works again when permissions are given back', async (office) => {
  const { build, asha, address, services, db } = office;
  const ravi = await build.colleague(asha.actor, { role: 'manager' });
  const client = await build.client(asha.actor);
  const file = await build.file(asha.actor, { name: 'deed.txt', client_id: client });
  const { url } = await services.sharing.links.make(ravi.actor, newLink([file.id]));
  const priya = recipient(office, address, url);
  assert.equal(await priya.names(), ['deed.txt']);
  const set = (columns: object) => db('users').where({ id: ravi.actor.userId }).update(columns);
  await set({ permissions_taken: '["share"]' });
  assert.is(await priya.names(), 'gone');
  await set({ permissions_taken: '["documents.download"]' });
  const looked = await priya.page();
  assert.is(
    looked.state === 'open' && looked.head.may_download,
    false,
    'who may only look lets others only look',
  );
  assert.is(await priya.download(), null);
  await set({ permissions_taken: '[]', client_scope: 'assigned' });
  assert.is(await priya.names(), 'gone', 'the client was taken from its maker');
  await set({ client_scope: 'all', deactivated_at: office.now().toISOString() });
  assert.is(await priya.names(), 'gone');
});

test('a view-only link shows pages stamped with the name of the recipient, and no byte of the original', async (office) => {
  const { build, asha, share, address, db } = office;
  const marker = 'Zx9OriginalMarker7q';
  const file = await build.file(asha.actor, { name: 'a.pdf', content: pdf([[marker]]) });
  const text = await build.file(asha.actor, { name: 'a.txt', content: marker });
  const zip = await build.file(asha.actor, { name: 'a.zip', content: `PK${marker}` });
  const priya = recipient(office, address, (await share([file.id, text.id, zip.id], { mode: 'view' })).url);
  const page = await priya.file(file.id);
  assert.equal(page.state === 'file' && [page.pages, page.item.shown, page.head.may_download], [
    1,
    'pages',
    false,
  ]);
  const locked = await priya.file(zip.id);
  assert.is(locked.state === 'file' && locked.why, 'kind');
  for (const { id } of [file, text, zip])
    for (const path of [`/files/${id}`, `/pages/${id}/1`, `/thumbnails/${id}`]) {
      const got = await priya.get(path);
      assert.not.match(Buffer.from(await got.arrayBuffer()).toString('latin1'), marker, path);
    }
  assert.is((await priya.get(`/files/${text.id}`)).status, 403);
  assert.is(await priya.download(text.id), null);
  assert.is((await priya.get(`/thumbnails/${file.id}`)).status, 404, 'no picture without the name across it');
  const listed = await priya.page();
  assert.not(listed.state === 'open' && listed.items.some(({ has_thumbnail }) => has_thumbnail));
  assert.is((await priya.get(`/pages/${file.id}/1`)).headers.get('content-type'), 'image/jpeg');
  const rows = await db('audit_events').where({ did: 'document.download' });
  assert.ok(rows.length > 0);
  for (const { user_id, detail } of rows) {
    assert.is(user_id, null, 'it was not its maker who looked');
    assert.match(JSON.parse(detail).recipient, 'Anyone with the link');
  }
});

test('of two concurrent requests for the last allowed download one succeeds, and a download that has begun can be resumed', async (office) => {
  const { build, asha, share, address, services } = office;
  const { id } = await build.file(asha.actor, { content: 'one and only' });
  const link = await share([id], { max_downloads: 2 });
  const people = Array.from({ length: 6 }, () => recipient(office, address, link.url));
  const left = async () => {
    const page = await people[1]!.page();
    return page.state === 'open' && page.head.downloads_left;
  };
  assert.is(await left(), 2);
  assert.is(await (await people[0]!.download())!.text(), 'one and only');
  assert.is(await left(), 1, 'the page says so, or the link would end unexpectedly');
  const to = await Promise.all(people.slice(1).map((one) => one.send('/download/all')));
  const got = to.flatMap((path, index) =>
    path.startsWith('/get/') ? [{ path, who: people[index + 1]! }] : [],
  );
  assert.is(got.length, 1);
  const { path, who } = got[0]!;
  assert.is(await (await who.get(path)).text(), 'one and only');
  assert.is((await who.get(path, { range: 'bytes=4-' })).status, 206, 'although the link is used up');
  assert.is(await who.names(), 'used_up', 'who took the last is told that it was the last');
  assert.is(await recipient(office, address, link.url).names(), 'gone', 'nobody else is');
  const [share_] = await services.sharing.links.list(asha.actor);
  assert.equal([share_!.state, share_!.downloads], ['used_up', 2]);
});

test('a browser is told that the link is used up for a day after its last download, not after its first', async (office) => {
  const { build, asha, share, address, advance } = office;
  const { id } = await build.file(asha.actor, { content: 'twice' });
  const link = await share([id], { max_downloads: 2 });
  const who = recipient(office, address, link.url);
  const HOUR = 60 * 60_000;
  assert.ok(await who.download());
  advance(23 * HOUR);
  assert.ok(await who.download());
  advance(2 * HOUR);
  assert.is(await who.names(), 'used_up');
});

test('links with a download limit show no originals inline, and other links show only pictures and videos inline', async (office) => {
  const { build, asha, share, address } = office;
  const photo = await build.file(asha.actor, { name: 'a.png', content: 'no real picture' });
  const paper = await build.file(asha.actor, { name: 'a.pdf', content: pdf([['Form 16']]) });
  const sheet = await build.file(asha.actor, { name: 'a.xlsx', content: 'rows' });
  const ids = [photo.id, paper.id, sheet.id];
  const statuses = async (url: string) => {
    const priya = recipient(office, address, url);
    const got = await Promise.all(ids.map((id) => priya.get(`/files/${id}`)));
    await Promise.all(got.map((one) => one.arrayBuffer()));
    return got.map(({ status }) => status);
  };
  assert.equal(
    await statuses((await share(ids)).url),
    [200, 404, 404],
    'what is saved is a download, and counts',
  );
  const { url } = await share(ids, { max_downloads: 1 });
  assert.equal(await statuses(url), [404, 404, 404]);
  const page = await recipient(office, address, url).file(photo.id);
  assert.is(page.state === 'file' && page.item.shown, 'pages');
});

test('items in a shared folder and folders with shared items are reported as shared', async (office) => {
  const { build, asha, share, services } = office;
  const above = await build.folder(asha.actor, 'Sharma');
  const shared = await build.folder(asha.actor, 'For the bank', above.id);
  const inner = await build.folder(asha.actor, '2026', shared.id);
  const inside = await build.file(asha.actor, { name: 'a.txt', parent_id: inner.id });
  const beside = await build.file(asha.actor, { name: 'b.txt', parent_id: above.id });
  const { id } = await share([shared.id]);
  const among = async (item: number) =>
    (await services.sharing.links.among(asha.actor, [item])).map((link) => link.id);
  for (const item of [above, shared, inner, inside]) assert.equal(await among(item.id), [id], item.name);
  assert.equal(await among(beside.id), []);
});

test('running downloads end when the link is revoked, when it expires and when its creator is deactivated', async (office) => {
  const { build, asha, share, address, services, blobs } = office;
  const blob = await blobs.put(bytes(Buffer.alloc(24 * 1024 * 1024, 7)));
  const { id } = await services.documents.addFile(asha.actor, {
    name: 'large.bin.pdf',
    parent_id: null,
    client_id: null,
    blob,
  });
  const begin = async (url: string) => {
    const answered = (await recipient(office, address, url).download())!;
    const reader = answered.body!.getReader();
    await reader.read();
    return async () => {
      for (;;) if ((await reader.read()).done) return;
    };
  };
  const link = await share([id]);
  const rest = await begin(link.url);
  await services.sharing.links.revoke(asha.actor, [link.id]);
  await rest().then(
    () => assert.unreachable('it came whole'),
    () => {},
  );
  const ending = await begin((await share([id], { expires_on: '2026-11-20' })).url);
  assert.is(await services.sharing.cutEnded(), 0, 'its last day is not over');
  office.advance(10 * 60 * 60_000);
  assert.is(await services.sharing.cutEnded(), 1);
  await ending().then(
    () => assert.unreachable('it came whole'),
    () => {},
  );
  const ravi = await build.colleague(asha.actor, { role: 'manager' });
  const { url } = await services.sharing.links.make(ravi.actor, newLink([id]));
  const more = await begin(url);
  await services.team.deactivate(asha.actor, ravi.actor.userId, { heir: null });
  await more().then(
    () => assert.unreachable('it came whole'),
    () => {},
  );
});

test('a user cannot take over a link that shows more than they may see or download themselves', async (office) => {
  const { build, asha, share, services } = office;
  const links = services.sharing.links;
  const folder = await build.folder(asha.actor, 'Audit');
  const download = await share([folder.id]);
  const view = await share([folder.id], { mode: 'view' });
  const ravi = await build.colleague(asha.actor, { role: 'manager' });
  const as = async (columns: object) => {
    await office.db('users').where({ id: ravi.actor.userId }).update(columns);
    return (await services.auth.actorOfUser(ravi.actor.userId))!;
  };
  const looker = await as({ permissions_taken: '["documents.download"]' });
  assert.match((await rejects(links.renew(looker, download.id), 403)).message, 'more than you may');
  assert.ok((await links.renew(looker, view.id)).url, 'looking is what this person may');
  const bounded = await as({ permissions_taken: '[]', daily_downloads: 5 });
  await rejects(links.renew(bounded, download.id), 403);
  const assigned = await as({
    daily_downloads: null,
    client_scope: 'assigned',
    permissions: '["documents.unassigned"]',
  });
  await rejects(links.renew(assigned, view.id), 403);
  await rejects(links.change(assigned, view.id, change({ mode: 'view' })), 403);
  assert.equal(await links.revoke(assigned, [view.id]), [view.id], 'but whoever sees it may end it');
  const peer = await as({ client_scope: 'all' });
  assert.ok((await links.renew(peer, download.id)).url);
});

test('a link does not name its former client to a user who sees only the present client of its documents', async (office) => {
  const { build, asha, share, services, db } = office;
  const before = await build.client(asha.actor, 'Secret Mills');
  const now = await build.client(asha.actor, 'Meera Iyer');
  const file = await build.file(asha.actor, { name: 'a.txt', client_id: before });
  await share([file.id]);
  await services.documents.setClient(asha.actor, file.id, { client_id: now });
  const ravi = await build.colleague(asha.actor, { role: 'manager', client_scope: 'assigned' });
  await db('user_clients').insert({ user_id: ravi.actor.userId, client_id: now });
  const [link] = await services.sharing.links.list(ravi.actor);
  assert.equal([link?.items.map(({ name }) => name), link?.client], [['a.txt'], null]);
  assert.is((await services.sharing.links.list(asha.actor))[0]!.client?.name, 'Secret Mills');
});

test('downloads by links count towards the daily limit of the user who created the link', async (office) => {
  const { build, asha, address, services } = office;
  const ravi = await build.colleague(asha.actor, { role: 'manager' });
  await services.team.change(asha.actor, ravi.actor.userId, { daily_downloads: 1 });
  const [a, b] = [
    await build.file(asha.actor, { name: 'a.txt' }),
    await build.file(asha.actor, { name: 'b.txt' }),
  ];
  const { url } = await services.sharing.links.make(ravi.actor, newLink([a.id, b.id]));
  const priya = recipient(office, address, url);
  assert.is(await priya.send('/download/all'), '?said=tomorrow');
  assert.match(await priya.send(`/download/${a.id}`), '/get/');
  assert.is(await priya.send(`/download/${b.id}`), '?said=tomorrow');
});

test.run();
