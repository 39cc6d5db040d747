import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { forge } from '../archive/read/testing/forge.ts';
import { attached, eml } from '../previews/testing/mails.ts';
import { rejects } from '../testing/rejects.ts';
import { bearer } from '../testing/visitor.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import { createDailyLimit } from './daily-limit.ts';
import { createDownloadRecorder } from './record-download.ts';

type Account = Awaited<ReturnType<World['build']['colleague']>>;
interface Office extends World {
  url: string;
  asha: Account;
  ravi: Account;
  /** Sets how many files Ravi may download in a day. */
  limit(files: number | null): Promise<void>;
  /** Asks as Ravi for a link. @returns the answer, and the link when there is one. */
  ask(path: string, body?: unknown): Promise<{ status: number; message: string; download_url: string }>;
  /** Follows a link and returns the status of the response. */
  follow(link: string, headers?: Record<string, string>): Promise<number>;
}

// The world begins at 15:30 in India.
const HOUR = 60 * 60_000;

const test = suite<Office>('the daily download limit');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld());
  const { build, services } = office;
  const url = await office.serve();
  const asha = (await build.account()) as Account;
  const ravi = await build.colleague(asha.actor, { role: 'manager' });
  Object.assign(office, { url, asha, ravi });
  office.limit = (files) => services.team.change(asha.actor, ravi.actor.userId, { daily_downloads: files });
  office.ask = async (path, body) => {
    const answered = await fetch(`${url}/api/${path}`, {
      method: 'POST',
      headers: { ...bearer(ravi.token), ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return {
      status: answered.status,
      ...((await answered.json()) as { message: string; download_url: string }),
    };
  };
  office.follow = async (link, headers = {}) => {
    const answered = await fetch(url + link, { headers });
    await answered.arrayBuffer();
    return answered.status;
  };
});
test.after.each(async (office) => {
  office.services.previews.stop();
  await office.close();
});

const used = async ({ services, asha, ravi }: Office) =>
  (await services.team.view(asha.actor)).people.find(({ id }) => id === ravi.actor.userId)!.downloads_today;
const linkTo = async ({ ask }: Office, id: number, query = '') =>
  (await ask(`documents/${id}/download-token${query}`)).download_url;

test('every kind of download counts its files towards the limit, and a preview counts none', async (office) => {
  const { build, asha, ravi, ask, follow, limit, services, url } = office;
  await limit(100);
  const client = await build.client(asha.actor);
  const folder = await build.folder(asha.actor);
  const file = await build.file(asha.actor, { parent_id: folder.id, client_id: client });
  const pdf = await build.file(asha.actor, { name: 'a.pdf', parent_id: folder.id });
  const zip = await build.file(asha.actor, {
    name: 'a.zip',
    content: forge([{ name: 'a.txt', data: Buffer.from('a') }]),
  });
  const mail = await build.file(asha.actor, {
    name: 'a.eml',
    content: eml(['From: a@b.in'], [attached('b.txt', 'text/plain', Buffer.from('b'))]),
  });
  let before = 0;
  const counts = async (files: number, what: string) => {
    const now = await used(office);
    assert.is(now - before, files, what);
    before = now;
  };
  const link = await linkTo(office, file.id);
  await counts(0, 'a link alone');
  assert.is((await fetch(url + link, { method: 'HEAD' })).status, 200);
  await counts(0, 'HEAD');
  assert.is(await follow(link), 200);
  await counts(1, 'a file');
  for (const range of ['bytes=0-1', 'bytes=2-']) assert.is(await follow(link, { range }), 206);
  await counts(0, 'its ranges');
  assert.is(await follow(`${await linkTo(office, pdf.id, '?inline=1')}&inline=1`), 200);
  await counts(0, 'a preview');
  office.advance(1);
  assert.is(await follow(`${await linkTo(office, mail.id, '?inline=1')}&inline=1`), 200);
  await counts(1, 'what no browser shows, whatever the link says');
  assert.is(await follow(await linkTo(office, folder.id)), 200);
  await counts(2, 'a folder');
  office.advance(1);
  assert.is(await follow(`${await linkTo(office, folder.id, '?inline=1')}&inline=1`), 200);
  await counts(2, 'a folder that claims to be a preview');
  const { download_url } = await ask('documents/download-token', { ids: [folder.id, zip.id] });
  assert.is(await follow(download_url), 200);
  await counts(3, 'a selection');
  assert.is(await follow((await ask(`clients/${client}/download-token`)).download_url), 200);
  await counts(1, 'the files of a client');
  const entry = await ask(`documents/${zip.id}/entry-token`, { path: 'a.txt' });
  assert.is(await follow(entry.download_url), 200);
  await counts(1, 'a file out of an archive');
  assert.is(await follow(`/api/documents/${mail.id}/attachments/1`, bearer(ravi.token)), 200);
  await counts(1, 'what is attached to an e-mail');
  assert.is(await follow('/api/clients/export', bearer(ravi.token)), 200);
  await counts(1, 'the list of clients');
  assert.is(await follow(`/api/documents/${pdf.id}/thumbnail`, bearer(ravi.token)), 204);
  await counts(0, 'a small picture');

  await services.team.change(asha.actor, ravi.actor.userId, { role: 'admin' });
  const everything = await ask('export', { what: 'everything' });
  assert.is(await follow(everything.download_url), 200);
  await counts(4, 'an export of everything');
  assert.is(await follow((await ask('export', { what: 'history' })).download_url), 200);
  await counts(1, 'the history');
});

test('what a link gives once its file or folder has changed is another download, which counts and is in the history', async (office) => {
  const { build, asha, ravi, follow, limit, services, db, ask } = office;
  await limit(5);
  const [folder, elsewhere] = [await build.folder(asha.actor, 'F'), await build.folder(asha.actor, 'E')];
  const put = (name: string, content: string, parent_id: number) =>
    build.file(asha.actor, { name, content, parent_id, conflict: 'replace' });
  const { id } = await put('own.txt', 'one', folder.id);
  const others = [await put('a.txt', 'a', elsewhere.id), await put('b.txt', 'b', elsewhere.id)];
  const file = await linkTo(office, id);
  const zip = await linkTo(office, folder.id);
  const { download_url: selection } = await ask('documents/download-token', {
    ids: [folder.id, others[0]!.id],
  });
  assert.equal([await follow(file), await follow(zip), await follow(file)], [200, 200, 200]);
  assert.is(await used(office), 2);
  await put('own.txt', 'other content', folder.id);
  assert.equal([await follow(file), await follow(file, { range: 'bytes=1-' })], [200, 206]);
  assert.is(await used(office), 3, 'the new content once');
  await services.documents.move(ravi.actor, { ids: others.map((one) => one.id), parent_id: folder.id });
  assert.equal([await follow(zip), await follow(selection)], [429, 429], 'it holds three files now');
  assert.is(await used(office), 3);
  const history = await db('audit_events').where({ did: 'document.download' }).pluck('subject');
  assert.equal(history.toSorted(), [`item:${folder.id}`, `item:${id}`, `item:${id}`].toSorted());
});

test('a file that was looked at by a link and is then saved by it is in the history as a download too', async (office) => {
  const { build, asha, follow, limit, db } = office;
  await limit(1);
  const { id } = await build.file(asha.actor, { name: 'a.pdf' });
  const link = await linkTo(office, id, '?inline=1');
  assert.equal([await follow(`${link}&inline=1`), await follow(link)], [200, 200]);
  assert.is(await used(office), 1);
  const details: string[] = await db('audit_events')
    .where({ did: 'document.download' })
    .orderBy('id')
    .pluck('detail');
  assert.equal(
    details.map((detail) => JSON.parse(detail).inline),
    [true, false],
  );
});

test('beyond the limit downloads get 429 with an explanation until midnight in India, while previews and started downloads continue', async (office) => {
  const { build, asha, ask, follow, limit, db } = office;
  await limit(2);
  const [a, b, c] = await Promise.all(
    ['a', 'b', 'c'].map((name) => build.file(asha.actor, { name: `${name}.txt` })),
  );
  const folder = await build.folder(asha.actor);
  for (const name of ['x', 'y']) await build.file(asha.actor, { name, parent_id: folder.id }).catch(() => {});
  const links = await Promise.all([a, b, c].map((one) => linkTo(office, one!.id)));
  assert.equal([await follow(links[0]!), await follow(links[1]!), await follow(links[2]!)], [200, 200, 429]);
  assert.is(await follow(links[0]!, { range: 'bytes=1-' }), 206, 'what has begun goes on');
  const { status, message } = await ask(`documents/${c!.id}/download-token`);
  assert.is(status, 429);
  assert.is(
    message,
    'You have downloaded 2 files today, and your limit is 2 a day. The limit begins anew at midnight, when 21 November ' +
      'begins (India time). If you need more now, ask an admin of your firm.',
  );
  assert.is((await ask(`documents/${a!.id}/download-token?inline=1`)).status, 200, 'looking goes on');
  const rows = await db('audit_events').where({ did: 'document.download_refused' });
  const noted = { name: 'c.txt', files: 1, downloaded: 2, limit: 2 };
  assert.equal(
    rows.map(({ subject, detail }) => [
      subject,
      { ...JSON.parse(detail), inline: undefined, browser: undefined },
    ]),
    [1, 2].map(() => [`item:${c!.id}`, { ...noted, inline: undefined, browser: undefined }]),
  );
  office.advance(8.4 * HOUR);
  assert.is((await ask(`documents/${c!.id}/download-token`)).status, 429, '23:54');
  office.advance(0.2 * HOUR);
  assert.is(await follow(await linkTo(office, c!.id)), 200, '00:06');
  assert.is(await used(office), 1);
});

test('a ZIP with more files than the limit still allows is refused as a whole, both when the link is requested and when it is followed', async (office) => {
  const { build, asha, ask, follow, limit } = office;
  const folder = await build.folder(asha.actor);
  for (const name of ['x.txt', 'y.txt', 'z.txt'])
    await build.file(asha.actor, { name, parent_id: folder.id });
  const single = await build.file(asha.actor, { name: 'single.txt' });
  const link = await linkTo(office, folder.id);
  await limit(3);
  assert.is(await follow(await linkTo(office, single.id)), 200);
  const { status, message } = await ask(`documents/${folder.id}/download-token`);
  assert.is(status, 429);
  assert.match(message, 'These are 3 files, and you can download 2 more today: your limit is 3 a day.');
  assert.is((await ask('documents/download-token', { ids: [folder.id] })).status, 429);
  assert.is(await follow(link), 429);
  assert.is(await used(office), 1);
  await limit(null);
  assert.is(await follow(link), 200, 'and none without a limit');
});

test('of ten simultaneous downloads when one is still allowed, exactly one succeeds', async (office) => {
  const { build, asha, follow, limit } = office;
  await limit(3);
  const files = await Promise.all(
    Array.from({ length: 12 }, (_, n) => build.file(asha.actor, { name: `${n}.txt` })),
  );
  const links = await Promise.all(files.map(({ id }) => linkTo(office, id)));
  for (const link of links.slice(0, 2)) assert.is(await follow(link), 200);
  const answers = await Promise.all(links.slice(2).map((link) => follow(link)));
  assert.is(answers.filter((status) => status === 200).length, 1);
  assert.is(answers.filter((status) => status === 429).length, 9);
  assert.is(await used(office), 3);
});

test('when a user reaches the limit, admins get one e-mail per user and day, and the history has an entry', async (office) => {
  const { build, asha, ravi, follow, limit, deliverMail, services } = office;
  await build.colleague(asha.actor, { name: 'Meera', role: 'admin' });
  await limit(1);
  const files = await Promise.all(
    ['a', 'b', 'c'].map((name) => build.file(asha.actor, { name: `${name}.txt` })),
  );
  const links = await Promise.all(files.map(({ id }) => linkTo(office, id)));
  const told = async () =>
    (await deliverMail()).filter(
      ({ subject }) => subject === 'Ravi Kumar has reached the daily download limit',
    );
  assert.is(await follow(links[0]!), 200);
  assert.is((await told()).length, 2, 'each admin');
  assert.match((await told())[0]!.text, 'Ravi Kumar has downloaded 1 file today');
  assert.is(await follow(links[1]!), 429);
  await limit(2);
  assert.is(await follow(links[1]!), 200);
  assert.is((await told()).length, 2, 'not again today');
  const { data } = await services.audit.list(asha.actor, {});
  const lines = data.map(({ what, about }) => `${what}: ${about}`);
  assert.ok(lines.includes('Download refused: daily limit reached: b.txt'), lines.join('\n'));
  assert.ok(lines.includes('Reached the daily download limit: Ravi Kumar'), lines.join('\n'));
  office.advance(24 * HOUR);
  assert.is(await follow(await linkTo(office, files[2]!.id)), 200);
  assert.is(await follow(await linkTo(office, files[0]!.id)), 200);
  assert.is((await told()).length, 4, 'the next day');
  assert.is(ravi.actor.firmId, asha.actor.firmId);
});

test('admins get one e-mail a day when a download is refused for its number of files before the limit is reached', async (office) => {
  const { build, asha, ask, limit, deliverMail } = office;
  const folder = await build.folder(asha.actor, 'ITR');
  for (const name of ['x.txt', 'y.txt', 'z.txt'])
    await build.file(asha.actor, { name, parent_id: folder.id });
  await limit(2);
  const told = async () =>
    (await deliverMail()).filter(({ subject }) => /was refused a download/.test(subject));
  assert.is((await ask(`documents/${folder.id}/download-token`)).status, 429);
  assert.is((await told()).length, 1);
  assert.match(
    (await told())[0]!.text,
    'Ravi Kumar wanted to download 3 files at once. You allow 2 in a day, and 0 files had been downloaded today',
  );
  assert.is((await ask('documents/download-token', { ids: [folder.id] })).status, 429);
  assert.is((await told()).length, 1, 'not again today');
  office.advance(24 * HOUR);
  assert.is((await ask(`documents/${folder.id}/download-token`)).status, 429);
  assert.is((await told()).length, 2, 'the next day');
});

test('the count survives a restart of the server, and a download that was already counted can continue', async (office) => {
  const { build, asha, ravi, follow, limit, services, db } = office;
  await limit(1);
  const file = await build.file(asha.actor);
  const link = await linkTo(office, file.id);
  assert.is(await follow(link), 200);
  const settings = { appName: 'Almirah', baseUrl: 'http://localhost' };
  const anew = createDailyLimit({ ...services, db, clock: office.now, settings });
  const actor = (await services.auth.actorOfSession(ravi.actor.sessionId))!;
  await rejects(anew.requireLeft(actor, {}), 429);
  await rejects(anew.count(actor, 'another link', {}), 429);
  const record = createDownloadRecorder({ audit: services.audit, clock: office.now, daily: anew });
  const token = new URL(link, 'http://localhost').searchParams.get('token')!;
  const { sha256: version } = await services.documents.openFile(actor, file.id);
  await record({ token, version }, { actor });
});

test('counted downloads of past days are deleted, and those of today are kept', async (office) => {
  const { build, asha, follow, limit, services, db } = office;
  await limit(5);
  const file = await build.file(asha.actor);
  assert.is(await follow(await linkTo(office, file.id)), 200);
  assert.is(await services.daily.sweep(), 0);
  office.advance(5 * 24 * HOUR);
  assert.is(await follow(await linkTo(office, file.id)), 200);
  assert.is(await services.daily.sweep(), 1);
  assert.is((await db('counted_downloads')).length, 1);
});

test('a view-only user is refused for the missing permission, not because of the limit', async (office) => {
  const { build, asha, ravi, services, limit } = office;
  await limit(1);
  const file = await build.file(asha.actor);
  await services.team.change(asha.actor, ravi.actor.userId, { taken: ['documents.download'] });
  const looker = (await services.auth.actorOfSession(ravi.actor.sessionId))!;
  assert.is((await rejects(services.documents.downloadUrl(looker, file.id), 403)).code, 'look_only');
});

test.run();
