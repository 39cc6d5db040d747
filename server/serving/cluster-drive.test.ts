import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Program } from '../dav/testing/drive.ts';
import { caller } from '../dav/testing/drive.ts';
import { ASHA } from '../testing/http-world.ts';
import { postgresOnly } from '../testing/postgres.ts';
import type { Cluster } from '../testing/cluster/cluster.ts';
import { startCluster } from '../testing/cluster/cluster.ts';
import { Visitor } from '../testing/visitor.ts';

interface Ctx {
  vault: Cluster;
  asha: Visitor;
  /** A program whose requests alternate between the processes. */
  office: Program;
  /** Another one, of the same person. */
  other: Program;
}

const test = suite<Ctx>('the WebDAV drive with several processes');

test.before(async (ctx) => {
  ctx.vault = await startCluster(2);
  const { base } = ctx.vault.balancer;
  ctx.asha = await new Visitor(base).arrive();
  assert.is((await ctx.asha.post('/api/auth/register', ASHA)).status, 201);
  const program = async (name: string) => {
    const asked = { name, read_only: false, folder_id: null, current_password: ASHA.password };
    const made = await ctx.asha.post('/api/app-passwords', asked);
    assert.is(made.status, 201, made.text);
    return caller(base, ASHA.email, made.json.data.password);
  };
  ctx.office = await program('Office PC');
  ctx.other = await program('Laptop');
});
test.after((ctx) => ctx.vault?.stop());

const to = (destination: string) => ({ headers: { destination } });
const LOCK = {
  headers: { depth: '0', timeout: 'Second-600' },
  body: '<?xml version="1.0"?><d:lockinfo xmlns:d="DAV:"><d:lockscope><d:exclusive/></d:lockscope><d:locktype><d:write/></d:locktype></d:lockinfo>',
};

test('a file written through one process is read, replaced, moved and listed through the other', async ({
  office,
}) => {
  assert.is((await office('PUT', '/dav/ITR.pdf', { body: 'one' })).status, 201);
  assert.is((await office('GET', '/dav/ITR.pdf')).text, 'one');
  assert.is((await office('PUT', '/dav/ITR.pdf', { body: 'second' })).status, 204);
  assert.is((await office('GET', '/dav/ITR.pdf')).text, 'second');
  assert.is((await office('MKCOL', '/dav/2025')).status, 201);
  assert.is((await office('MOVE', '/dav/ITR.pdf', to('/dav/2025/ITR.pdf'))).status, 201);
  assert.is((await office('GET', '/dav/2025/ITR.pdf')).text, 'second');
});

test('a lock from one process holds at every other, and its token works anywhere', async ({
  office,
  other,
}) => {
  await office('PUT', '/dav/Ledger.xlsx', { body: 'x' });
  const got = await office('LOCK', '/dav/Ledger.xlsx', LOCK);
  assert.is(got.status, 200, got.text);
  const token = String(got.headers['lock-token']);
  for (const _ of [0, 1])
    assert.is((await other('PUT', '/dav/Ledger.xlsx', { body: 'theirs' })).status, 423, 'at each of them');
  for (const body of ['ours', 'ours too']) {
    const held = { body, headers: { if: `(${token})` } };
    assert.is((await office('PUT', '/dav/Ledger.xlsx', held)).status, 204);
  }
  assert.is((await office('UNLOCK', '/dav/Ledger.xlsx', { headers: { 'lock-token': token } })).status, 204);
  assert.is((await other('PUT', '/dav/Ledger.xlsx', { body: 'theirs' })).status, 204);
});

test('of parallel lock requests at two processes exactly one succeeds', async ({ office, other, vault }) => {
  for (let time = 0; time < 10; time += 1) {
    const path = `/dav/Both ${time}.docx`.replaceAll(' ', '%20');
    await office('PUT', path, { body: 'x' });
    const got = await Promise.all([office, other, office, other].map((one) => one('LOCK', path, LOCK)));
    assert.equal(got.map(({ status }) => status).toSorted(), [200, 423, 423, 423]);
  }
  assert.is((await vault.db('dav_locks')).length, 10);
});

test('a document is saved like Office does, with temporary files that belong to no single process', async ({
  office,
  asha,
  vault,
}) => {
  await office('PUT', '/dav/Audit.docx', { body: 'first' });
  assert.is((await office('PUT', '/dav/~$udit.docx', { body: 'Asha' })).status, 201);
  for (const content of ['second', 'third']) {
    assert.is((await office('PUT', '/dav/4C1A3E50.tmp', { body: content })).status, 201);
    assert.is((await office('GET', '/dav/4C1A3E50.tmp')).text, content);
    assert.is((await office('MOVE', '/dav/Audit.docx', to('/dav/9F02B711.tmp'))).status, 201);
    assert.is((await office('HEAD', '/dav/Audit.docx')).status, 404, 'it is out of the way');
    assert.is((await office('MOVE', '/dav/4C1A3E50.tmp', to('/dav/Audit.docx'))).status, 201);
    assert.is((await office('DELETE', '/dav/9F02B711.tmp')).status, 204);
    assert.is((await office('GET', '/dav/Audit.docx')).text, content);
  }
  assert.is((await office('DELETE', '/dav/~$udit.docx')).status, 204);
  const { items } = (await asha.get('/api/documents')).json.data;
  assert.equal(
    items.map(({ name }: { name: string }) => name).filter((name: string) => /Audit|tmp|~/.test(name)),
    ['Audit.docx'],
  );
  assert.is((await vault.db('versions')).length >= 2, true, 'what was there before is kept as versions');
  assert.equal(await vault.db('dav_scratch'), []);
});

postgresOnly(test).run();
