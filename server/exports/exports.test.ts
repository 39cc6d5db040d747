import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fromBuffer } from 'yauzl';
import type { Entry, Options, ZipFile } from 'yauzl';
import { FORM_16, recognise } from '#server/fields/testing/recognised.ts';
import { readAll } from '#server/reading/testing/office.ts';
import { Visitor, bearer } from '../testing/visitor.ts';
import { rejects } from '#server/testing/rejects.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';

/** The first bytes of gzip data. */
const GZIP = Buffer.from('1f8b08', 'hex');

type Account = Awaited<ReturnType<World['build']['account']>>;
const test = suite<World & { url: string; asha: Account }>('exports of a firm');
test.before.each(async (world) => {
  Object.assign(world, await freshWorld());
  world.asha = await world.build.account({ name: 'Asha Rao' });
  world.url = await world.serve();
});
test.after.each((world) => world.close());

const link = async (url: string, token: string, what: string) =>
  new Visitor(url).post('/api/export', { what }, { headers: bearer(token) });

async function unpacked(bytes: Buffer): Promise<Map<string, string>> {
  const open = promisify<Buffer, Options, ZipFile>(fromBuffer);
  const zip = await open(bytes, { lazyEntries: true });
  const found = new Map<string, string>();
  await new Promise<void>((resolve, reject) => {
    zip.on('end', resolve).on('error', reject);
    zip.on('entry', (entry: Entry) => {
      if (entry.fileName.endsWith('/')) {
        found.set(entry.fileName, '');
        return zip.readEntry();
      }
      return zip.openReadStream(entry, (error, stream) => {
        if (error) return reject(error);
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          found.set(entry.fileName, Buffer.concat(chunks).toString());
          zip.readEntry();
        });
      });
    });
    zip.readEntry();
  });
  return found;
}

test('an export contains all files in their folders and the tables, and has the size in its header', async (world) => {
  const { build, asha, url } = world;
  const folder = await build.folder(asha.actor, 'शर्मा');
  await build.folder(asha.actor, 'Empty');
  await build.file(asha.actor, { name: 'Form 16.txt', content: 'income', parent_id: folder.id });
  await build.client(asha.actor, '=cmd|calc');
  const { json } = await link(url, asha.token, 'everything');
  assert.is(json.download_url, json.data.download_url);
  const response = await fetch(url + json.download_url);
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.is(response.headers.get('content-length'), String(bytes.length));
  assert.match(
    response.headers.get('content-disposition') ?? '',
    /attachment; filename=Almirah-2026-11-20\.zip/,
  );
  const all = await unpacked(bytes);
  assert.is(all.get('Files/शर्मा/Form 16.txt'), 'income');
  assert.ok(all.has('Files/Empty/'));
  assert.match(all.get('files.csv') ?? '', /^\uFEFFPath,.*\r\nशर्मा\/Form 16\.txt,6,[^,]+,[\w-]{40,}/);
  assert.match(all.get('clients.csv') ?? '', /"'=cmd\|calc"/, 'no formula for the spreadsheet to run');
  assert.match(all.get('history.csv') ?? '', /Registered,auth\.register,Asha Rao/);
  assert.match(all.get('READ ME.txt') ?? '', /1 files in their folders/);
});

test('an export has notes, labels, seals and the list of earlier versions as tables, so that no work is lost', async (world) => {
  const { build, asha, url, services } = world;
  const folder = await build.folder(asha.actor, 'Sharma');
  const place = { name: 'return.txt', parent_id: folder.id, conflict: 'replace' as const };
  const file = await build.file(asha.actor, { ...place, content: 'draft' });
  world.advance(60_000);
  await build.file(asha.actor, { ...place, content: 'final text' });
  const label = await services.labels.create(asha.actor, { name: 'Urgent', colour: 'red' });
  const deleted = await build.file(asha.actor, { name: 'deleted.txt' });
  await services.labels.put(asha.actor, { ids: [folder.id, deleted.id], add: [label.id], remove: [] });
  await services.notes.add(asha.actor, file.id, { text: '=1+1, asked twice' });
  await services.notes.add(asha.actor, deleted.id, { text: 'Of what is in Trash' });
  await services.documents.remove(asha.actor, [deleted.id]);
  const { seal } = await services.seals.seal(asha.actor, folder.id, { reason: 'Return filed' });
  const { json } = await link(url, asha.token, 'everything');
  const all = await unpacked(Buffer.from(await (await fetch(url + json.download_url)).arrayBuffer()));
  const lines = (name: string) => (all.get(name) ?? '').split('\r\n').slice(1, -1);
  const at = seal!.at;
  assert.equal(lines('notes.csv'), [`Sharma/return.txt,File,"'=1+1, asked twice",Asha Rao,${at},`]);
  assert.equal(lines('labels.csv'), ['Sharma,Folder,Urgent,red'], 'and nothing of Trash');
  assert.equal(lines('seals.csv'), [
    `Sharma,Folder,Sharma,Asha Rao,${at},Return filed,1,10,${seal!.digest},,,`,
  ]);
  const [version, ...more] = lines('versions.csv');
  const sha256 = createHash('sha256').update('draft').digest('hex');
  const replaced = new RegExp(`^Sharma/return\\.txt,File,return\\.txt,5,${sha256},Asha Rao,[^,]+,${at},`);
  assert.match(version ?? '', replaced);
  assert.equal(more, []);
  const told = all.get('READ ME.txt') ?? '';
  for (const name of all.keys())
    if (/^\w+\.csv$/.test(name)) assert.ok(told.includes(`\n${name} `), `READ ME.txt says what ${name} is`);
});

test('an export contains the texts and recognised values of documents, with the corrections by users', async (world) => {
  const { build, asha, url, services } = world;
  const folder = await build.folder(asha.actor, 'Sharma');
  const file = await build.file(asha.actor, { name: 'a.txt', content: 'Gross salary', parent_id: folder.id });
  await readAll(world);
  await recognise(world, file.id, FORM_16);
  await services.fields.answer(asha.actor, file.id, [
    { id: 'gross_salary', answer: 'corrected', value: '12,50,000' },
  ]);
  const { json } = await link(url, asha.token, 'everything');
  const response = await fetch(url + json.download_url);
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.is(response.headers.get('content-length'), String(bytes.length));
  const all = await unpacked(bytes);
  const at = world.now().toISOString();
  assert.ok(
    all
      .get('fields.csv')!
      .includes(
        `Sharma/a.txt,Form 16,FY 2025-26,Gross salary,1250000,1200000,1,corrected,Asha Rao,${at}\r\n`,
      ),
  );
  assert.ok(all.has('Texts/Sharma/a.txt.json.gz'));
  const start = bytes.indexOf(GZIP, bytes.indexOf('Texts/Sharma/a.txt.json.gz'));
  // The checksum follows the content of an entry.
  const text = bytes.subarray(start, bytes.indexOf('PK\x07\x08', start));
  const { pages } = JSON.parse(gunzipSync(text).toString());
  assert.is(pages[0].text, 'Gross salary');
});

test('an export contains nothing of another firm', async (world) => {
  const stranger = await world.build.account({ name: 'Somebody Else' });
  await world.build.file(stranger.actor, { name: 'secret.txt' });
  const { json } = await link(world.url, world.asha.token, 'everything');
  const bytes = Buffer.from(await (await fetch(world.url + json.download_url)).arrayBuffer());
  const all = [...(await unpacked(bytes)).entries()].flat().join('\n');
  assert.not.match(all, /secret\.txt|Somebody Else/);
});

test('the history alone is exported as CSV, and contains each earlier export of it', async (world) => {
  const get = async () => {
    const { json } = await link(world.url, world.asha.token, 'history');
    return (await fetch(world.url + json.download_url)).text();
  };
  const { json } = await link(world.url, world.asha.token, 'history');
  const told = await fetch(world.url + json.download_url, { method: 'HEAD' });
  assert.equal([told.status, await told.text()], [200, '']);
  const one = 'Downloaded the history,export.history,Asha Rao';
  for (const sent of [1, 2]) assert.is((await get()).split(one).length - 1, sent, 'and only what was sent');
});

test('the link to an export expires after five minutes and with the session, and is refused if altered', async (world) => {
  const { json } = await link(world.url, world.asha.token, 'history');
  const status = async (path: string) => (await fetch(world.url + path)).status;
  assert.is(await status(`${json.download_url.slice(0, -2)}xx`), 403);
  assert.is(await status('/api/export/content'), 403);
  world.advance(5 * 60_000);
  assert.is(await status(json.download_url), 403);
  const fresh = (await link(world.url, world.asha.token, 'history')).json.download_url;
  assert.is(await status(fresh), 200);
  await world.services.auth.signOutAll(world.asha.actor);
  assert.is(await status(fresh), 403);
});

test('only users with permission to manage the firm can export everything or read the history', async (world) => {
  const { build, asha, services } = world;
  const clerk = build.limited(asha.actor, ['documents.read']);
  await rejects(services.exports.link(clerk, 'everything'), 403);
  await services.audit.list(clerk, {}).then(
    () => assert.unreachable(),
    (error) => assert.is(error.status, 403),
  );
  const { status } = await new Visitor(world.url).get('/api/audit');
  assert.is(status, 401);
});

test('the history is returned newest first, page by page, without gaps', async (world) => {
  for (let i = 0; i < 7; i += 1) await world.build.folder(world.asha.actor, `Folder ${i}`);
  const seen: number[] = [];
  let before: number | null = null;
  do {
    const query: string = before ? `?limit=3&before=${before}` : '?limit=3';
    const { json } = await new Visitor(world.url).get(`/api/audit${query}`, {
      headers: bearer(world.asha.token),
    });
    for (const { id, who } of json.data.data) {
      seen.push(id);
      assert.is(who, 'Asha Rao');
    }
    before = json.data.next;
  } while (before);
  assert.equal(
    seen,
    seen.toSorted((a, b) => b - a),
  );
  assert.ok(seen.length >= 8);
  assert.is(new Set(seen).size, seen.length);
});

test.run();
