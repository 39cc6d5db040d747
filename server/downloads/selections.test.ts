import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import yauzl from 'yauzl';
import { bearer } from '#server/testing/visitor.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';

interface Office extends World {
  address: string;
}

const test = suite<Office>('downloading a selection as one ZIP');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld());
  office.address = await office.serve();
});
test.after.each((office) => office.close());

async function ask({ address }: Office, token: string, ids: unknown) {
  const response = await fetch(`${address}/api/documents/download-token`, {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'application/json' },
    body: JSON.stringify({ ids }),
  });
  return {
    status: response.status,
    json: (await response.json()) as { download_url: string; message: string },
  };
}

async function names(zip: Buffer): Promise<string[]> {
  const file = await yauzl.fromBufferPromise(zip);
  const found: string[] = [];
  for await (const entry of file.eachEntry()) found.push(entry.fileName);
  return found.toSorted();
}

test('a ZIP bears the day in India, also after midnight, when it is still yesterday in UTC', async (office) => {
  const { actor, token } = await office.build.account();
  const folder = await office.build.folder(actor, 'GSTR-3B');
  office.advance(9 * 60 * 60_000);
  const { json } = await ask(office, token, [folder.id]);
  const { headers } = await fetch(office.address + json.download_url, { method: 'HEAD' });
  assert.match(headers.get('content-disposition') ?? '', /1 item 2026-11-21\.zip/);
});

test('selected items are downloaded as one ZIP, folders with their contents, and files with equal names get numbers', async (office) => {
  const { actor, token } = await office.build.account();
  const folder = await office.build.folder(actor, 'GSTR-3B');
  await office.build.file(actor, { name: 'april.pdf', parent_id: folder.id });
  const one = await office.build.file(actor, { name: 'notice.pdf' });
  const other = await office.build.folder(actor, 'Old');
  const two = await office.build.file(actor, { name: 'notice.pdf', parent_id: other.id });

  const { json } = await ask(office, token, [folder.id, one.id, two.id]);
  const response = await fetch(office.address + json.download_url);

  assert.is(response.headers.get('content-type'), 'application/zip');
  assert.match(response.headers.get('content-disposition') ?? '', /3 items 2026-11-20\.zip/);
  const zip = Buffer.from(await response.arrayBuffer());
  assert.is(
    zip.length,
    Number(response.headers.get('content-length')),
    'the browser can show how long it takes',
  );
  assert.equal(await names(zip), ['GSTR-3B/', 'GSTR-3B/april.pdf', 'notice (2).pdf', 'notice.pdf']);
  const trail = await office.db('audit_events').where({ did: 'document.download' });
  assert.is(trail.length, 1);
});

test('the files of a client are downloaded as one ZIP with their folders, without files of other clients or of none', async (office) => {
  const { actor, token } = await office.build.account();
  const { build, services, address } = office;
  const client = await build.client(actor, 'Sharma: Sons');
  const other = await build.client(actor, 'Rao');
  const ask = (id: number | string) =>
    fetch(`${address}/api/clients/${id}/download-token`, { method: 'POST', headers: bearer(token) });
  const none = await ask(client);
  assert.is(none.status, 422);
  const { code, message } = (await none.json()) as { code: string; message: string };
  assert.equal([code, message], ['no_files', 'There are no files of Sharma: Sons to download.']);

  const year = await build.folder(actor, '2025-26');
  const own = await services.documents.createFolder(actor, {
    name: 'Sharma',
    parent_id: year.id,
    client_id: client,
  });
  await build.file(actor, { name: 'ITR.pdf', parent_id: own.id, client_id: client });
  await build.file(actor, { name: 'Rao ITR.pdf', parent_id: own.id, client_id: other });
  await build.file(actor, { name: 'nobody.pdf', parent_id: year.id });
  const theirs = await build.folder(actor, 'Rao');
  await build.file(actor, { name: 'shared deed.pdf', parent_id: theirs.id, client_id: client });
  await build.file(actor, { name: 'loose.pdf', client_id: client });

  const { download_url } = (await (await ask(client)).json()) as { download_url: string };
  const response = await fetch(address + download_url);
  assert.match(response.headers.get('content-disposition')!, /filename="Sharma_ Sons 2026-11-20\.zip"/);
  assert.equal(await names(Buffer.from(await response.arrayBuffer())), [
    '2025-26/Sharma/',
    '2025-26/Sharma/ITR.pdf',
    'Rao/shared deed.pdf',
    'loose.pdf',
  ]);
  const [row, ...more] = await office.db('audit_events').where({ did: 'document.download' });
  assert.equal([row.subject, more], [`client:${client}`, []]);

  const stranger = await build.account();
  const foreign = await fetch(`${address}/api/clients/${client}/download-token`, {
    method: 'POST',
    headers: bearer(stranger.token),
  });
  assert.is(foreign.status, 404);
  assert.is((await ask('x')).status, 404);
});

test('a selection that includes an item of another firm gets 404 and no link', async (office) => {
  const { actor, token } = await office.build.account();
  const mine = await office.build.file(actor);
  const theirs = await office.build.file(await office.build.actor());
  assert.is((await ask(office, token, [mine.id, theirs.id])).status, 404);
  assert.is((await ask(office, token, [])).status, 422);
  assert.is((await ask(office, token, 'all')).status, 422);
});

test('the link to a selection expires after five minutes and with the session', async (office) => {
  const { actor, token } = await office.build.account();
  const { id } = await office.build.file(actor);
  const first = await ask(office, token, [id]);
  office.advance(5 * 60_000 + 1);
  assert.is((await fetch(office.address + first.json.download_url)).status, 403);
  const second = await ask(office, token, [id]);
  await office.services.auth.signOut(actor);
  assert.is((await fetch(office.address + second.json.download_url)).status, 403);
  assert.is((await fetch(`${office.address}/api/documents/selection?token=guess`)).status, 403);
});

test.run();
