import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Account } from '../../testing/access-world.ts';
import { bearer } from '../../testing/visitor.ts';
import type { World } from '../../testing/world.ts';
import { freshWorld } from '../../testing/world.ts';
import { pdf } from '../../tools/samples.ts';
import type { VersionList } from './contract.ts';

interface Office extends World {
  base: string;
  admin: Account;
  /** A file that held `first` and holds `second`, and the path of its version. */
  id: number;
  version: string;
  call: (method: string, path: string, body?: unknown, account?: Account) => Promise<Response>;
}

const test = suite<Office>('/api/documents/:id/versions');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld());
  office.base = await office.serve();
  office.admin = (await office.build.account()) as Account;
  const { build, services, base } = office;
  const { actor } = office.admin;
  for (const content of ['first', 'second'])
    office.id = (await build.file(actor, { name: 'a.txt', content, conflict: 'replace' })).id;
  const { earlier } = await services.versions.list(actor, office.id);
  office.version = `/api/documents/${office.id}/versions/${earlier[0]!.id}`;
  office.call = (method, path, body, { token } = office.admin) =>
    fetch(base + path, {
      method,
      headers: { ...bearer(token), ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
});
test.after.each((office) => {
  office.services.previews.stop();
  return office.close();
});

interface Answer {
  data: VersionList;
  message: string;
  errors: object;
  download_url: string;
}
const json = async (answered: Response) => (await answered.json()) as Answer;
const list = async ({ call, id }: Office): Promise<VersionList> =>
  (await json(await call('GET', `/api/documents/${id}/versions`))).data;
const linkTo = async ({ call, version }: Office, account?: Account): Promise<string> =>
  (await json(await call('POST', `${version}/download-token`, undefined, account))).download_url;

test('a version is told with its SHA-256 and downloads under a name that says which one it is', async (office) => {
  const { earlier, current, days, most } = await list(office);
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  assert.equal([current.sha256, earlier[0]?.sha256], [hash('second'), hash('first')]);
  assert.equal([days, most], [30, 100]);
  const sent = await fetch(office.base + (await linkTo(office)));
  assert.is(
    sent.headers.get('content-disposition'),
    'attachment; filename="a (version 2026-11-20 15.30).txt"',
  );
  assert.is(await sent.text(), 'first');
  const part = await fetch(office.base + (await linkTo(office)), { headers: { range: 'bytes=1-2' } });
  assert.equal([part.status, await part.text()], [206, 'ir']);
  const [told] = (await office.services.audit.list(office.admin.actor, { limit: 1 })).data;
  assert.equal([told!.what, told!.about], ['Downloaded', 'a.txt, version of Nov 20, 2026, 3:30 PM']);
  assert.is(told!.detail.version_of, '2026-11-20T10:00:00.000Z');
});

test('a download link to a version gives that version only, and not the file', async (office) => {
  const token = (await linkTo(office)).split('token=')[1]!;
  await office.build.file(office.admin.actor, { name: 'a.txt', content: 'third', conflict: 'replace' });
  const { earlier } = await list(office);
  for (const path of [`/versions/${earlier[0]!.id}`, '']) {
    const got = await fetch(`${office.base}/api/documents/${office.id}${path}/content?token=${token}`);
    assert.is(got.status, 403, path);
  }
});

test('downloads of versions count to the daily limit, and looking at one does not', async (office) => {
  const { build, services, admin, base } = office;
  const ravi = await build.colleague(admin.actor);
  await services.team.change(admin.actor, ravi.actor.userId, { daily_downloads: 1 });
  const shown = await json(
    await office.call('POST', `${office.version}/download-token?inline=1`, undefined, ravi),
  );
  assert.is(await (await fetch(`${base}${shown.download_url}&inline=1`)).text(), 'first');
  assert.is((await fetch(base + (await linkTo(office, ravi)))).status, 200);
  assert.is((await office.call('POST', `${office.version}/download-token`, undefined, ravi)).status, 429);
});

test('who may only look sees pages of a version with their name across, and gets no link to it', async (office) => {
  const { build, services, admin } = office;
  const ravi = await build.colleague(admin.actor);
  await services.team.change(admin.actor, ravi.actor.userId, { taken: ['documents.download'] });
  assert.is((await office.call('POST', `${office.version}/download-token`, undefined, ravi)).status, 403);
  for (const text of ['old', 'new'])
    office.id = (
      await build.file(admin.actor, { name: 'a.pdf', content: pdf([[text]]), conflict: 'replace' })
    ).id;
  const version = `/api/documents/${office.id}/versions/${(await list(office)).earlier[0]!.id}`;
  const page = await office.call('GET', `${version}/pages/1`, undefined, ravi);
  assert.equal([page.status, page.headers.get('content-type')], [200, 'image/jpeg']);
  const thumbnail = await office.call('GET', `${version}/thumbnail`, undefined, ravi);
  assert.is(thumbnail.headers.get('content-type'), 'image/webp');
  assert.not.equal(
    thumbnail.headers.get('etag'),
    (await office.call('GET', `/api/documents/${office.id}/thumbnail`)).headers.get('etag'),
  );
});

test('a version is restored, kept forever with a word, and deleted, each answered with the list as it is then', async (office) => {
  const kept = await office.call('PATCH', office.version, { kept_as: '  as   filed ' });
  assert.is((await json(kept)).data.earlier[0]?.kept_as, 'as filed');
  const now = await office.call('PATCH', `/api/documents/${office.id}/versions/current`, {
    kept_as: 'signed',
  });
  assert.is((await json(now)).data.current.kept_as, 'signed');
  for (const kept_as of ['', ' ', 'x'.repeat(61), 7, undefined]) {
    const bad = await office.call('PATCH', office.version, { kept_as });
    assert.equal([bad.status, Object.keys((await json(bad)).errors)], [422, ['kept_as']]);
  }
  const restored = await json(await office.call('POST', `${office.version}/restore`, {}));
  assert.is(restored.message, 'Version restored.');
  assert.is(restored.data.earlier.length, 2);
  assert.is(restored.data.earlier[0]?.kept_as, 'signed');
  assert.is((await office.call('POST', `${office.version}/restore`, {})).status, 409);
  const left = await json(await office.call('DELETE', office.version));
  assert.is(left.data.earlier.length, 1);
  assert.is((await office.call('DELETE', office.version)).status, 404);
  for (const path of ['none', '0', '1e9'])
    assert.is((await office.call('DELETE', `/api/documents/${office.id}/versions/${path}`)).status, 404);
});

test('a folder has no versions', async (office) => {
  const { id } = await office.build.folder(office.admin.actor);
  assert.is((await office.call('GET', `/api/documents/${id}/versions`)).status, 404);
  assert.is(
    (await office.call('PATCH', `/api/documents/${id}/versions/current`, { kept_as: 'x' })).status,
    404,
  );
});

test.run();
