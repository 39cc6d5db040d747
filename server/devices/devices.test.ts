import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rejects } from '#server/testing/rejects.ts';
import type { TestResponse } from '#server/testing/visitor.ts';
import { Visitor, bearer } from '#server/testing/visitor.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import type { Paired } from './contract.ts';

type Account = Awaited<ReturnType<World['build']['account']>>;

interface Office extends World {
  folder: string;
  visitor: Visitor;
  account: Account;
  /** Pairs a program by a code that its owner types into it. */
  connect: (of?: Pick<Account, 'token'>) => Promise<Paired>;
  /** A request of the program. */
  ask: (
    token: string,
    method: string,
    path: string,
    body?: unknown,
    more?: Record<string, string>,
  ) => Promise<TestResponse>;
}

const AGENT = { 'user-agent': 'AlmirahUploader/1.0.0 (win-x64)' };
const SELF = { name: 'FRONT-DESK', platform: 'win-x64', version: '1.0.0' };
const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
const metadata = (fields: Record<string, string>) =>
  Object.entries(fields)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');

const test = suite<Office>('/api/desktop');
test.before.each(async (office) => {
  office.folder = await mkdtemp(join(tmpdir(), 'uploader-'));
  Object.assign(office, await freshWorld({ desktopDir: office.folder }));
  office.account = await office.build.account();
  office.visitor = new Visitor(await office.serve());
  office.ask = (token, method, path, body, more) =>
    office.visitor.call(method, path, {
      ...(body !== undefined && { body }),
      headers: { ...bearer(token), ...AGENT, ...more },
    });
  office.connect = async ({ token } = office.account) => {
    const { json } = await office.ask(token, 'POST', '/api/desktop/authorize', {});
    const paired = await office.visitor.post('/api/desktop/token', { ...SELF, code: json.data.code });
    assert.is(paired.status, 200, paired.text);
    return paired.json.data;
  };
});
test.after.each(async (office) => {
  await office.close();
  await rm(office.folder, { recursive: true });
});

/** Sends a whole file as the program does. @returns the last response. */
async function upload(
  { ask }: Office,
  token: string,
  fields: Record<string, string>,
  text: string,
): Promise<TestResponse> {
  const tus = { 'tus-resumable': '1.0.0' };
  const begun = await ask(token, 'POST', '/api/documents/resumable', undefined, {
    ...tus,
    'upload-length': String(text.length),
    'upload-metadata': metadata(fields),
  });
  if (begun.status !== 201) return begun;
  return ask(token, 'PATCH', begun.headers.get('location')!, text, {
    ...tus,
    'content-type': 'application/offset+octet-stream',
    'upload-offset': '0',
  });
}

test('a link pairs by PKCE: the code needs the verifier, is valid for one attempt only, and expires', async (office) => {
  const { account, ask, visitor } = office;
  const verifier = 'v'.repeat(43);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const code = async () =>
    (await ask(account.token, 'POST', '/api/desktop/authorize', { challenge, name: 'X' })).json.data.code;
  const claim = (more: object) => visitor.post('/api/desktop/token', { ...SELF, ...more });
  const stolen = await code();
  assert.is((await claim({ code: stolen })).status, 422);
  assert.is((await claim({ code: stolen, verifier })).status, 422, 'used up by the wrong try');
  assert.is((await claim({ code: await code(), verifier: 'w'.repeat(43) })).status, 422);
  const late = await code();
  office.advance(121_000);
  assert.is((await claim({ code: late, verifier })).status, 422);
  const { status, json } = await claim({ code: await code(), verifier });
  assert.is(status, 200);
  assert.match(json.data.token, /^almd_[\w-]{43}$/);
  assert.equal(json.data.user, { name: 'Asha Rao', email: account.email });
  assert.not.ok(
    JSON.stringify(await office.db('paired_programs')).includes(json.data.token),
    'kept as a hash',
  );
  assert.ok((await office.deliverMail()).some(({ subject }) => subject === 'A program was connected'));
});

test('a typed code is accepted in lower case and with a dash, only the newest is valid, and guessing is limited', async ({
  account,
  ask,
  visitor,
}) => {
  const code = async (): Promise<string> =>
    (await ask(account.token, 'POST', '/api/desktop/authorize', {})).json.data.code;
  const claim = (code: string) => visitor.post('/api/desktop/token', { ...SELF, code });
  const [first, second] = [await code(), await code()];
  assert.match(second, /^[2-9A-HJKMNP-Z]{8}$/);
  assert.is((await claim(first)).status, 422);
  assert.is((await claim(`${second.slice(0, 4)}-${second.slice(4)}`.toLowerCase())).status, 200);
  const right = await code();
  const guesses = await Promise.all(Array.from({ length: 12 }, () => claim('AAAA2222')));
  assert.ok(guesses.some(({ status, headers }) => status === 429 && Number(headers.get('retry-after')) > 0));
  assert.is((await claim(right)).status, 429, 'a code is short: from this place nothing is tried any more');
});

test('a program is connected only after a recent proof of identity, since it stays when a stolen session has ended', async (office) => {
  const { account, ask } = office;
  office.advance(11 * 60_000);
  const refused = await ask(account.token, 'POST', '/api/desktop/authorize', {});
  assert.equal([refused.status, refused.json.code], [403, 'proof_needed']);
  const proof = { current_password: account.password };
  assert.is((await ask(account.token, 'POST', '/api/auth/prove', proof)).status, 200);
  assert.is((await ask(account.token, 'POST', '/api/desktop/authorize', {})).status, 200);
});

test('whatever signs devices out ends the codes that they requested too, and leaves connected programs to their owner', async (office) => {
  const { account, ask, visitor } = office;
  const { token } = await office.connect();
  const { services } = office;
  const from = { ip: '127.0.0.1', userAgent: 'test' };
  const signIn = async (): Promise<string> => {
    const entry = await services.auth.signIn(account, from);
    return 'token' in entry ? entry.token : '';
  };
  for (const path of ['logout-others', 'logout-all', 'sessions']) {
    const [own, stolen] = [await signIn(), await signIn()];
    const { json } = await ask(stolen, 'POST', '/api/desktop/authorize', {});
    const { sessionId } = (await services.auth.identifyByToken(stolen, from))!;
    const ended =
      path === 'sessions'
        ? await ask(own, 'DELETE', `/api/auth/sessions/${sessionId}`)
        : await ask(own, 'POST', `/api/auth/${path}`, {});
    assert.is(ended.status, 200);
    const claimed = await visitor.post('/api/desktop/token', { ...SELF, code: json.data.code });
    assert.is(claimed.status, 422, path);
  }
  assert.is((await ask(token, 'GET', '/api/desktop/me')).status, 200);
});

test('the token of a program grants uploading and nothing else, whatever permissions its user has', async (office) => {
  const { token } = await office.connect();
  const { build, account } = office;
  const file = await build.file(account.actor, { content: 'secret' });
  const me = await office.ask(token, 'GET', '/api/desktop/me');
  assert.is(me.status, 200);
  assert.is(me.json.data.may_write, true);
  assert.ok(me.json.data.allowed_extensions.includes('pdf') && me.json.data.quota_left > 0);
  for (const [method, path] of [
    ['GET', '/api/documents'],
    ['GET', `/api/documents/${file.id}`],
    ['POST', `/api/documents/${file.id}/download-token`],
    ['POST', '/api/documents/delete'],
    ['GET', '/api/auth/user'],
    ['POST', '/api/auth/logout'],
    ['GET', '/api/events'],
    ['PUT', '/dav/x.pdf'],
    ['GET', '/dashboard'],
    ['GET', '/api/no-such-call'],
  ] as const) {
    const { status, text } = await office.ask(token, method, path, method === 'GET' ? undefined : {});
    assert.is(status, 403, `${method} ${path}: ${text}`);
  }
  assert.is(
    (await office.ask(token, 'POST', '/api/desktop/authorize', {})).status,
    403,
    'it connects no other',
  );
});

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

test('a user with assigned clients chooses among those, and a read-only user cannot pair', async (office) => {
  const { build, db, account, ask } = office;
  const [own, other] = [await build.client(account.actor, 'Own'), await build.client(account.actor, 'Other')];
  const folder = (name: string, client_id: number) =>
    office.services.documents.createFolder(account.actor, { name, parent_id: null, client_id });
  await folder('Own papers', own);
  const hidden = await folder('Other papers', other);
  const ravi = await build.colleague(account.actor, { client_scope: 'assigned' });
  await db('user_clients').insert({ user_id: ravi.actor.userId, client_id: own });
  const { token } = await office.connect(ravi);
  const names = (got: TestResponse) => got.json.data.map(({ name }: { name: string }) => name);
  assert.equal(names(await ask(token, 'GET', '/api/desktop/clients')), ['Own']);
  assert.equal(names(await ask(token, 'GET', '/api/desktop/clients?q=other')), []);
  const { json } = await ask(token, 'GET', '/api/desktop/folders?parent=root');
  assert.equal(
    json.data.folders.map(({ name }: { name: string }) => name),
    ['Own papers'],
  );
  assert.is((await ask(token, 'GET', `/api/desktop/folders?parent=${hidden.id}`)).status, 404);
  assert.is((await ask(token, 'POST', '/api/desktop/folders', { client_id: other })).status, 422);
  const looker = await build.colleague(account.actor, { role: 'viewer' });
  assert.is((await ask(looker.token, 'POST', '/api/desktop/authorize', {})).status, 403);
  await db('users').where({ id: ravi.actor.userId }).update({ role: 'viewer' });
  assert.is((await ask(token, 'GET', '/api/desktop/folders')).status, 403);
  assert.is((await upload(office, token, { filename: 'a.pdf' }, 'a')).status, 403);
  assert.is((await ask(token, 'GET', '/api/desktop/me')).json.data.may_write, false);
});

test('work hours and office networks apply to a program as to its user', async (office) => {
  const { token } = await office.connect();
  const set = (change: object) =>
    office.db('users').where({ id: office.account.actor.userId }).update(change);
  await set({ networks: '["10.1.0.0/16"]' });
  const away = await office.ask(token, 'GET', '/api/desktop/me');
  assert.equal([away.status, away.json.code], [403, 'outside_network']);
  await set({ networks: '[]', work_hours: JSON.stringify({ days: [7], from: '09:00', to: '10:00' }) });
  assert.is((await office.ask(token, 'GET', '/api/desktop/me')).json.code, 'outside_hours');
});

test('a pairing ends when a user or the program removes it, after a new password and a deactivation, also during an upload', async (office) => {
  const { services, account, build } = office;
  const ended = async (token: string) => {
    const { status, json } = await office.ask(token, 'GET', '/api/desktop/me');
    assert.equal([status, json.code], [401, 'device_ended']);
  };
  const clicked = await office.connect();
  const stranger = await build.actor();
  await rejects(services.auth.programs.end(stranger, clicked.device.id), 404);
  const headers = {
    'tus-resumable': '1.0.0',
    'upload-length': '1',
    'upload-metadata': metadata({ filename: 'a.pdf' }),
  };
  const begun = await office.ask(clicked.token, 'POST', '/api/documents/resumable', undefined, headers);
  const [view] = await services.auth.programs.list(account.actor, '::1');
  assert.equal([view?.name, view?.platform, view?.version], ['FRONT-DESK', 'win-x64', '1.0.0']);
  await services.auth.programs.end(account.actor, view!.id);
  await ended(clicked.token);
  const late = services.resumable.append(
    { ...account.actor, sessionId: 0, program: clicked.device },
    begun.headers.get('location')!.split('/').at(-1)!,
    0,
    (async function* () {
      yield Buffer.from('a');
    })(),
  );
  await rejects(late, 401);
  const itself = await office.connect();
  assert.is((await office.ask(itself.token, 'DELETE', '/api/desktop/me')).status, 200);
  await ended(itself.token);
  const changed = await office.connect();
  const password = 'another long password';
  const change = { current_password: account.password, password, password_confirmation: password };
  await services.auth.changePassword(account.actor, change);
  await ended(changed.token);
  const ravi = await build.colleague(account.actor);
  const his = await office.connect(ravi);
  await office.db.transaction((trx) => services.auth.endAccess(trx, ravi.actor.userId));
  await ended(his.token);
});

test('complete builds are offered, incomplete ones are not', async (office) => {
  const latest = async () => (await office.visitor.get('/api/desktop/latest')).json.data;
  assert.equal(await latest(), { public_key: null, builds: [] });
  const text = 'MZ program';
  const build = {
    platform: 'win-x64',
    version: '1.2.0',
    size: text.length,
    sha256: sha256(text),
    signature: 'c2ln',
  };
  await writeFile(join(office.folder, 'AlmirahSetup-1.2.0.exe'), text);
  await writeFile(
    join(office.folder, 'release.json'),
    JSON.stringify({
      public_key: 'a2V5',
      builds: [
        { ...build, kind: 'setup', file: 'AlmirahSetup-1.2.0.exe' },
        { ...build, kind: 'update', file: 'missing.exe' },
      ],
    }),
  );
  const told = await latest();
  assert.equal(
    told.builds.map(({ file }: { file: string }) => file),
    ['AlmirahSetup-1.2.0.exe'],
  );
  const got = await office.visitor.get('/desktop/download/AlmirahSetup-1.2.0.exe');
  assert.equal([got.status, got.text], [200, text]);
  assert.match(got.headers.get('content-disposition')!, /^attachment/);
  for (const path of ['release.json', 'missing.exe', '..%2f..%2fetc%2fpasswd'])
    assert.is((await office.visitor.get(`/desktop/download/${path}`)).status, 404, path);
});

test.run();
