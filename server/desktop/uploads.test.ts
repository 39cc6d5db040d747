import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { down, up } from '../../migrations/20261127040000_program_documents.ts';
import { DATA_FOLDER_ID } from '#server/testing/world.ts';
import { desktopSuite, metadata, sha256, upload } from './testing/office.ts';

const test = desktopSuite('uploads of a connected program');

test('an upload goes to its path once: by key, by content, and as a version after a change', async (office) => {
  const { token } = await office.connect();
  const { ask, build, account, services } = office;
  const client = await build.client(account.actor, 'Sharma Traders');
  const target = await ask(token, 'POST', '/api/desktop/folders', { client_id: client });
  assert.is(target.json.data.path, 'Sharma Traders');
  const parent_id = String(target.json.data.id);
  const again = await ask(token, 'POST', '/api/desktop/folders', { client_id: client });
  assert.is(String(again.json.data.id), parent_id, 'made once');
  const compare = (text: string, path = 'Scans/2026') =>
    ask(token, 'POST', '/api/desktop/compare', {
      parent_id: Number(parent_id),
      path,
      sha256: sha256(text),
      size: text.length,
    }).then(({ json }) => json.data.exists);
  assert.is(await compare('one'), null);
  const key = randomUUID();
  const fields = { filename: 'Scan.pdf', parent_id, path: 'Scans/2026' };
  const first = await upload(office, token, { ...fields, upload_key: key }, 'one');
  assert.is(first.status, 200, first.text);
  const { id } = first.json.data;
  const item = await services.documents.item(account.actor, id);
  assert.equal([item.path, item.client_name], ['Sharma Traders / Scans / 2026', 'Sharma Traders']);
  const same = await upload(office, token, { ...fields, upload_key: key.toUpperCase() }, 'one');
  assert.equal([same.status, same.json.data.id], [200, id], 'the same upload, finished');
  assert.equal(await compare('one'), { id, name: 'Scan.pdf' });
  assert.is(await compare('one', ''), null, 'in that very folder');
  const version = { ...fields, conflict: 'replace', item_id: String(id) };
  const changed = await upload(office, token, { ...version, upload_key: randomUUID() }, 'two');
  assert.is(changed.json.data.id, id);
  assert.is((await services.versions.list(account.actor, id)).earlier.length, 1);
  const done = await services.audit.list(account.actor, { item: id });
  assert.ok(done.data.some(({ browser }) => browser === 'Almirah Uploader on FRONT-DESK'));
  await services.documents.remove(account.actor, [id]);
  const gone = await upload(office, token, { ...fields, upload_key: key }, 'one');
  assert.equal([gone.status, gone.json.data], [200, null], 'what was deleted since is not sent again');
});

test('a program replaces the document that it made, whatever its name is now, and never one of that name that somebody else put there', async (office) => {
  const { services, account, build } = office;
  const { actor } = account;
  const { token } = await office.connect();
  const colleagues = await build.file(actor, { name: 'Scan.pdf', content: 'signed report' });
  const send = async (text: string, fields: Record<string, string> = {}) => {
    const upload_key = randomUUID();
    const { status, json } = await upload(
      office,
      token,
      { filename: 'Scan.pdf', upload_key, ...fields },
      text,
    );
    assert.is(status, 200);
    return json.data as { id: number; name: string };
  };
  const made = await send('page one');
  assert.is(made.name, 'Scan (2).pdf');
  const replace = { conflict: 'replace', item_id: String(made.id) };
  assert.is((await send('pages one and two', replace)).id, made.id);
  await services.documents.rename(actor, made.id, { name: 'Invoice 7.pdf' });
  assert.is((await send('three pages', replace)).id, made.id, 'renamed in the vault');
  assert.is((await services.versions.list(actor, made.id)).earlier.length, 2);

  const old = await send('of a program without item_id', { conflict: 'replace' });
  assert.is.not(old.id, colleagues.id, 'whose the document of that name is, it does not say');
  const folder = await services.documents.createFolder(actor, {
    name: 'Filed',
    parent_id: null,
    client_id: null,
  });
  await services.documents.move(actor, { ids: [made.id], parent_id: folder.id });
  const moved = await send('four pages', replace);
  assert.is.not(moved.id, made.id, 'filed elsewhere meanwhile');
  await services.documents.remove(actor, [moved.id]);
  const afresh = await send('five pages', { conflict: 'replace', item_id: String(moved.id) });
  assert.is.not(afresh.id, moved.id, 'in Trash');
  const ravi = await build.colleague(actor, { client_scope: 'assigned' });
  const hidden = { conflict: 'replace', item_id: String(colleagues.id), upload_key: randomUUID() };
  const other = await office.connect(ravi);
  await upload(office, other.token, { filename: 'Scan.pdf', ...hidden }, 'of somebody who does not see it');
  assert.is((await services.versions.list(actor, colleagues.id)).earlier.length, 0);
});

test('a program replaces nothing that it is told the id of, but only what a program of its user made, also before this was noted', async (office) => {
  const { services, account, build, db } = office;
  const { actor } = account;
  const ravi = await build.colleague(actor);
  const [asha, other] = [await office.connect(), await office.connect(ravi)];
  const send = async ({ token }: { token: string }, text: string, item_id?: number) => {
    const fields = { filename: 'Scan.pdf', upload_key: randomUUID() };
    const replace = { conflict: 'replace', item_id: String(item_id) };
    const sent = await upload(office, token, { ...fields, ...(item_id && replace) }, text);
    assert.is(sent.status, 200);
    return sent.json.data.id as number;
  };
  const byHand = await build.file(actor, { name: 'audited "browser":"Almirah Uploader on.pdf' });
  const made = await send(asha, 'made');
  assert.is.not(await send(asha, 'forged', byHand.id), byHand.id, 'what a user uploaded');
  assert.is.not(await send(other, 'forged too', made), made, 'what a colleague’s program made');
  const again = await office.connect();
  assert.is(await send(again, 'made, changed', made), made, 'a program that was connected anew goes on');
  assert.is((await services.versions.list(actor, byHand.id)).earlier.length, 0);

  await down(db);
  await up(db);
  assert.is(await send(asha, 'made, changed twice', made), made, 'the history knows who made it');
  assert.is.not(await send(asha, 'forged again', byHand.id), byHand.id);
});

test('an id from before a restore replaces nothing, since a restored vault gives the same ids to other documents', async (office) => {
  const { services, account, ask } = office;
  const { token } = await office.connect();
  assert.is((await ask(token, 'GET', '/api/desktop/me')).json.data.data_folder, DATA_FOLDER_ID);
  const send = async (text: string, more: Record<string, string> = {}) => {
    const fields = { filename: 'Scan.pdf', upload_key: randomUUID(), ...more };
    const sent = await upload(office, token, fields, text);
    assert.is(sent.status, 200, sent.text);
    return sent.json.data.id as number;
  };
  const made = await send('made');
  const replace = { conflict: 'replace', item_id: String(made) };
  assert.is.not(await send('of before', { ...replace, data_folder: 'f'.repeat(32) }), made);
  assert.is((await services.versions.list(account.actor, made)).earlier.length, 0);
  assert.is(await send('changed', { ...replace, data_folder: DATA_FOLDER_ID }), made);
  assert.is(await send('changed twice', replace), made, 'an older program says no folder');
});

test('a content that the user’s program made is found wherever it is now, so that nothing is sent twice after a restore', async (office) => {
  const { services, account, build, ask } = office;
  const { token } = await office.connect();
  const sent = await upload(office, token, { filename: 'Scan.pdf', upload_key: randomUUID() }, 'made');
  await build.file(account.actor, { name: 'By hand.pdf', content: 'by hand' });
  const folder = { name: 'Filed', parent_id: null, client_id: null };
  const filed = (await services.documents.createFolder(account.actor, folder)).id;
  const compare = async (parent_id: number | null, text: string, made?: boolean, others?: number[]) => {
    const content = { parent_id, path: '', sha256: sha256(text), size: text.length };
    const { json } = await ask(token, 'POST', '/api/desktop/compare', { ...content, made, others });
    return (json.data.exists?.name as string | undefined) ?? null;
  };
  assert.is(sent.status, 200);
  assert.is(await compare(filed, 'made'), null);
  assert.is(await compare(filed, 'made', true), 'Scan.pdf');
  const { items } = await services.documents.folder(account.actor, null);
  const { id } = items.find(({ name }) => name === 'Scan.pdf')!;
  assert.is(await compare(filed, 'made', true, [id]), null, 'it is the document of another file');
  assert.is(await compare(filed, 'by hand', true), null, 'not of a program');
  assert.is(await compare(null, 'by hand', true), 'By hand.pdf');
  const { token: colleague } = await office.connect(await build.colleague(account.actor));
  const theirs = { parent_id: filed, path: '', sha256: sha256('made'), size: 4, made: true };
  assert.is((await ask(colleague, 'POST', '/api/desktop/compare', theirs)).json.data.exists, null);
});

test('a lost response reserves nothing twice: the key finds the existing upload', async (office) => {
  const { token } = await office.connect();
  const headers = {
    'tus-resumable': '1.0.0',
    'upload-length': '10',
    'upload-metadata': metadata({ filename: 'a.pdf', upload_key: randomUUID() }),
  };
  const post = () => office.ask(token, 'POST', '/api/documents/resumable', undefined, headers);
  const all = await Promise.all([post(), post(), post()]);
  assert.ok(all.every(({ status }) => status === 201 || status === 409));
  const once = await post();
  assert.is(once.status, 201);
  assert.is((await office.db('resumable_uploads')).length, 1);
  const stranger = await office.connect(await office.build.account());
  assert.not.equal(
    (await office.ask(stranger.token, 'POST', '/api/documents/resumable', undefined, headers)).headers.get(
      'location',
    ),
    once.headers.get('location'),
  );
});

test('the room that a program is told is what the vault will take, so it leaves out what unfinished uploads have reserved', async (office) => {
  const { token } = await office.connect();
  const left = async () => (await office.ask(token, 'GET', '/api/desktop/me')).json.data.quota_left as number;
  const begin = (bytes: number) =>
    office.ask(token, 'POST', '/api/documents/resumable', undefined, {
      'tus-resumable': '1.0.0',
      'upload-length': String(bytes),
      'upload-metadata': metadata({ filename: 'Ledger 2025-26.pdf', upload_key: randomUUID() }),
    });
  const before = await left();
  assert.is((await begin(600_000)).status, 201);
  assert.is(await left(), before - 600_000);
  assert.is((await begin((await left()) + 1)).json.code, 'quota_exceeded');
});

test('a file in the way, a missing folder and a path out of the folder are refused with a reason', async (office) => {
  const { token } = await office.connect();
  await office.build.file(office.account.actor, { name: 'Scans.pdf', content: 'x' });
  const send = (fields: Record<string, string>) =>
    upload(office, token, { filename: 'a.pdf', ...fields }, 'a');
  assert.equal(Object.keys((await send({ path: 'Scans.pdf' })).json.errors), ['path']);
  assert.equal(Object.keys((await send({ parent_id: '99999', path: 'x' })).json.errors), ['parent_id']);
  assert.is((await send({ path: '../x' })).status, 422);
  assert.is((await send({ upload_key: 'no-uuid' })).status, 422);
  const strange = await office.build.folder((await office.build.account()).actor);
  assert.equal(Object.keys((await send({ parent_id: String(strange.id), path: 'x' })).json.errors), [
    'parent_id',
  ]);
});

test.run();
