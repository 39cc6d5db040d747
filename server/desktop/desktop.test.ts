import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { rejects } from '#server/testing/rejects.ts';
import type { TestResponse } from '#server/testing/visitor.ts';
import { desktopSuite, metadata, SELF, sha256, upload } from './testing/office.ts';

const test = desktopSuite('/api/desktop');

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
