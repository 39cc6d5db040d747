import { gunzipSync, inflateSync } from 'node:zlib';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { forge } from '../archive/read/testing/forge.ts';
import { attached, eml, msg } from '../previews/testing/mails.ts';
import { docx, paragraph, run, workbook } from '../previews/testing/office.ts';
import { pdf } from '../tools/samples.ts';
import { ROWS } from './access-rows.ts';
import type { Account } from './access-world.ts';
import { accessWorld } from './access-world.ts';
import { bearer } from './visitor.ts';
import type { World } from './world.ts';
import { freshWorld } from './world.ts';

/** A text that is in every file and nowhere else. */
const MARKER = 'Zx9OriginalMarker7q';
/** Encodings of the marker; base64 at each of its three alignments. */
const DISGUISES = [
  Buffer.from(MARKER),
  Buffer.from(MARKER, 'utf16le'),
  Buffer.from(MARKER).toString('hex'),
  ...[0, 1, 2].map((shift) =>
    Buffer.from('-'.repeat(shift) + MARKER)
      .toString('base64')
      .slice(4, -4),
  ),
];
const holds = (bytes: Buffer): boolean => DISGUISES.some((one) => bytes.includes(one));

/** Includes the inflated content: a PNG, a PDF or a workbook is compressed. */
function opened(bytes: Buffer): Buffer {
  const parts = [bytes];
  for (let index = 0; index < bytes.length - 2; index += 1) {
    const begins = bytes.readUInt16BE(index);
    // Only where gzip or zlib data can begin, since trying every byte would take most of the time of this test.
    if (begins !== 0x1f8b && (bytes[index] !== 0x78 || begins % 31 !== 0)) continue;
    try {
      if (begins === 0x1f8b) parts.push(gunzipSync(bytes.subarray(index)));
      else parts.push(inflateSync(bytes.subarray(index), { finishFlush: 2 }));
    } catch {
      // It was not compressed data.
    }
  }
  return Buffer.concat(parts);
}

interface Stage extends World {
  url: string;
  admin: Account;
  looker: Account;
  made: ReturnType<Awaited<ReturnType<typeof accessWorld>>['fixturesFor']>;
  client: number;
  /** By name. */
  files: Map<string, number>;
  /** The id of the earlier version of each file, which also contains the marker. */
  versions: Map<number, number>;
  /** Links that the view-only user got while still permitted to download, by the call that they are for. */
  links: Record<string, string[]>;
}

async function marked(): Promise<Record<string, Buffer | string>> {
  const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'navy' } })
    .withExif({ IFD0: { Artist: MARKER } })
    .jpeg()
    .toBuffer();
  const cell = `<row r="1"><c r="A1" t="inlineStr"><is><t>${MARKER}</t></is></c></row>`;
  const mail = ['From: a@b.in', `Subject: ${MARKER}`];
  return {
    'a.txt': MARKER,
    'a.json': `{"a":"${MARKER}"}`,
    'a.csv': `Name\n${MARKER}\n`,
    'a.html': `<p>${MARKER}</p>`,
    'a.xlsx': workbook({ A: { rows: cell } }),
    'a.docx': docx(paragraph(run(MARKER))),
    'a.eml': eml(mail, [
      { head: ['Content-Type: text/plain'], body: MARKER },
      attached('b.txt', 'text/plain', Buffer.from(MARKER)),
    ]),
    'a.msg': msg({
      subject: MARKER,
      from: { name: 'A', address: 'a@b.in' },
      to: [],
      sentAt: '2026-04-01T00:00:00Z',
      text: MARKER,
    }),
    'a.pdf': pdf([[MARKER]]),
    'a.svg': `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><!-- ${MARKER} --><rect width="9" height="9"/></svg>`,
    'a.jpg': picture,
    'a.tif': await sharp(picture)
      .withExif({ IFD0: { Artist: MARKER } })
      .tiff()
      .toBuffer(),
    'a.mp4': Buffer.from(`0000ftypisom${MARKER}`),
    'a.zip': forge([{ name: 'a.txt', data: Buffer.from(MARKER) }]),
    'a.pfx': MARKER,
  };
}

const test = suite<Stage>('view-only users');
test.before(async (stage) => {
  const world = await freshWorld({ abuseLimits: false });
  const { admin, roles, fixturesFor } = await accessWorld(world);
  const { build, services } = world;
  // The role with most calls below the admin; admins always have the permission to download.
  const looker = roles.manager;
  const client = await build.client(admin.actor);
  const folder = await build.folder(admin.actor, 'All');
  const files = new Map<string, number>();
  const versions = new Map<number, number>();
  for (const [name, content] of Object.entries(await marked())) {
    const where = { name, content, client_id: client, parent_id: folder.id };
    const before = Buffer.concat([Buffer.from(content), Buffer.from('\n')]);
    const { id } = await build.file(admin.actor, { ...where, content: before });
    await build.file(admin.actor, { ...where, conflict: 'replace' });
    files.set(name, id);
    versions.set(id, (await services.versions.list(admin.actor, id)).earlier[0]!.id!);
  }
  await services.reading.work(new AbortController().signal);
  const [txt, zip] = [files.get('a.txt')!, files.get('a.zip')!];
  const entry = await services.archiveViewer.link(looker.actor, zip, { path: 'a.txt', password: undefined });
  const links = {
    'GET /api/documents/:id/content': await Promise.all(
      [...files.values(), folder.id].map((id) => services.documents.downloadUrl(looker.actor, id)),
    ),
    'GET /api/documents/:id/versions/:version/content': await Promise.all(
      [...versions].map(([item, version]) => services.versions.downloadUrl(looker.actor, { item, version })),
    ),
    'GET /api/documents/selection': [
      await services.downloads.select(looker.actor, [...files.values()]),
      await services.downloads.selectClient(looker.actor, client),
    ],
    'GET /api/documents/entry': [`/api/documents/entry?token=${entry}`],
    'GET /api/export/content': await Promise.all(
      (['everything', 'history'] as const).map(
        async (what) => `/api/export/content?token=${await services.exports.link(admin.actor, what)}`,
      ),
    ),
  };
  assert.ok(txt);
  const made = { ...fixturesFor(looker), zip: async () => zip, client: async () => client };
  Object.assign(stage, world, {
    url: await world.serve(),
    admin,
    looker,
    made,
    client,
    files,
    versions,
    links,
  });
});
test.after(async ({ services, close }) => {
  services.previews.stop();
  services.reading.stop();
  await close();
});

const GETS = Object.entries(ROWS).filter(([key]) => key.startsWith('GET ') && key !== 'GET /api/events');
const WAYS: Record<string, string>[] = [{}, { range: 'bytes=0-100' }, { 'accept-encoding': 'identity' }];

/** Every address that this call can be made with: for each file, where the call names one. */
async function addresses({ made, links, files, versions }: Stage, key: string): Promise<Set<string>> {
  const row = ROWS[key]!;
  if (row.link) return new Set(links[key]!.flatMap((link) => [link, `${link}&inline=1`]));
  const asked = new Set<string>();
  for (const id of files.values()) {
    let named = false;
    const naming = <T>(what: T) => {
      named = true;
      return Promise.resolve(what);
    };
    const file = () => naming(id);
    const version = () => naming({ item: id, version: versions.get(id)! });
    asked.add((await row.ask({ ...made, file, version })).path);
    if (!named) break;
  }
  return asked;
}

/** Calls that return bytes of the originals to a user with this token. */
async function leaks(stage: Stage, token: string): Promise<Set<string>> {
  const found = new Set<string>();
  for (const [key] of GETS) {
    for (const path of await addresses(stage, key))
      for (const headers of WAYS) {
        const answered = await fetch(stage.url + path, { headers: { ...headers, ...bearer(token) } });
        if (holds(opened(Buffer.from(await answered.arrayBuffer())))) found.add(key);
        // A file without pages or preview: another try would start a slow process for the same response.
        if (answered.status === 422) break;
      }
  }
  return found;
}

test('every call that follows a download link is tested with real links', ({ links }) => {
  const followed = GETS.filter(([, { link }]) => link).map(([key]) => key);
  assert.equal(followed.toSorted(), Object.keys(links).toSorted());
});

test('without the permission to download no call sends original bytes, and with it the same calls do', async (stage) => {
  const { db, services, admin, looker } = stage;
  const before = await leaks(stage, looker.token);
  assert.ok(before.size >= 5, [...before].join(', '));
  await services.team.change(admin.actor, looker.actor.userId, { taken: ['documents.download'] });
  // The admin's links must end as well, once the admin has become a view-only user.
  await db('users')
    .where({ id: admin.actor.userId })
    .update({
      role: 'viewer',
      permissions_taken: JSON.stringify(['documents.download']),
    });
  assert.equal([...(await leaks(stage, looker.token))], []);
  const pages = await fetch(`${stage.url}/api/documents/${stage.files.get('a.pdf')}/pages/1`, {
    headers: bearer(looker.token),
  });
  assert.is(pages.status, 200, 'but a page of it is shown');
  const list = await fetch(`${stage.url}/api/documents/${stage.files.get('a.zip')}/entries`, {
    headers: bearer(looker.token),
  });
  assert.match(await list.text(), 'a.txt', 'and what an archive holds');
});

test.run();
