import { createHash, randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { forge } from '../archive/read/testing/forge.ts';
import { openEventStream } from '../testing/event-stream.ts';
import { ASHA } from '../testing/http-world.ts';
import { CONTENT_TYPE, filePart, multipart } from '../testing/multipart.ts';
import { postgresOnly } from '../testing/postgres.ts';
import type { Cluster } from '../testing/cluster/cluster.ts';
import { cookiesOf, PIECE_HEADERS, sendHalf, TUS_HEADERS } from '../testing/cluster/half-sent.ts';
import { withRetries } from '../testing/cluster/with-retries.ts';
import { startCluster } from '../testing/cluster/cluster.ts';
import { until } from '../testing/until.ts';
import { Visitor } from '../testing/visitor.ts';

interface Ctx {
  vault: Cluster;
  /** The same person at each of the processes. */
  at: Visitor[];
}

const test = suite<Ctx>('a vault with several processes');

test.before(async (ctx) => {
  ctx.vault = await startCluster(2);
  const asha = await new Visitor(ctx.vault.servers[0]!.base).arrive();
  assert.is((await asha.post('/api/auth/register', ASHA)).status, 201);
  ctx.at = ctx.vault.servers.map(({ base }) => {
    const same = new Visitor(base);
    for (const [name, value] of asha.jar) same.jar.set(name, value);
    return same;
  });
});
test.after((ctx) => ctx.vault?.stop());

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

async function upload(who: Visitor, name: string, content: string | Buffer): Promise<number> {
  const sent = await who.call('POST', '/api/documents/upload', {
    body: multipart([filePart(name, content)]),
    headers: { 'content-type': CONTENT_TYPE },
  });
  assert.is(sent.status, 201, sent.text);
  return sent.json.data.id;
}
async function names(who: Visitor, folder?: number): Promise<string[]> {
  const { json } = await who.get(`/api/documents${folder ? `?parent_id=${folder}` : ''}`);
  return json.data.items.map(({ name }: { name: string }) => name);
}

test('a change through one process is seen live at the other, which can also replay missed events', async ({
  at,
}) => {
  const [a, b] = at as [Visitor, Visitor];
  const id = await upload(a, 'Ledger.txt', 'one');
  // A session receives no events for its own changes.
  const other = await new Visitor(b.base).arrive();
  assert.is((await other.post('/api/auth/login', ASHA)).status, 200);
  const stream = await openEventStream(b.base, cookiesOf(other));
  const { id: place } = await stream.next('ready');
  await a.call('PATCH', `/api/documents/${id}/rename`, { body: { name: 'Ledger 2025.txt' } });
  const change = await stream.next('change');
  assert.ok(change.data.some(({ kind }: { kind: string }) => kind === 'items'));
  stream.close();
  const back = await openEventStream(a.base, { ...cookiesOf(other), 'last-event-id': place! });
  await back.next('ready');
  assert.ok(back.received.some(({ event }) => event === 'change'));
  assert.not.ok(back.received.some(({ event }) => event === 'reset'));
  back.close();
});

test('a link to a selection of items works at any process', async ({ at }) => {
  const [a, b] = at as [Visitor, Visitor];
  const ids = [await upload(a, 'One.txt', '1'), await upload(b, 'Two.txt', '2')];
  const { json } = await a.post('/api/documents/download-token', { ids });
  const zip = await b.get(json.download_url);
  assert.is(zip.status, 200, zip.text.slice(0, 200));
  assert.ok(zip.text.includes('One.txt') && zip.text.includes('Two.txt'));
});

test('an upload stalled at one process continues at the other, and becomes one file', async ({
  at,
  vault,
}) => {
  const [a, b] = at as [Visitor, Visitor];
  const content = randomBytes(900_000);
  const metadata = `filename ${Buffer.from('Audit.pdf').toString('base64')}`;
  const begun = await a.post('/api/documents/resumable', undefined, {
    headers: { ...TUS_HEADERS, 'upload-length': String(content.length), 'upload-metadata': metadata },
  });
  assert.is(begun.status, 201, begun.text);
  const path = begun.headers.get('location')!;
  const socket = await sendHalf(a, path, content.subarray(0, 400_000), { length: content.length });
  // The other process takes the upload over from the stalled connection.
  const far = async (who: Visitor) => {
    const { status, headers } = await withRetries(() => who.call('HEAD', path, { headers: TUS_HEADERS }));
    assert.is(status, 200, vault.servers[1]!.output());
    return Number(headers.get('upload-offset'));
  };
  const offset = await far(b);
  socket.destroy();
  const send = async (who: Visitor, from: number): Promise<void> => {
    const headers = { ...PIECE_HEADERS, 'upload-offset': String(from) };
    // An interrupted client gets no response, and queries the offset.
    await who.call('PATCH', path, { body: content.subarray(from), headers }).catch(() => {});
  };
  // An impatient client sends to both processes, of which one takes the upload over and cuts the other off.
  await Promise.all([send(b, offset), send(a, offset)]);
  for (let from = await far(a); from < content.length; from = await far(a)) await send(b, from);
  const told = await withRetries(() => a.get(path));
  assert.is(told.json.data.name, 'Audit.pdf');
  assert.is((await vault.db('items').where({ name: 'Audit.pdf' })).length, 1);
  const [row] = await vault.db('items').where({ name: 'Audit.pdf' }).select('id', 'sha256');
  assert.is(row.sha256, sha256(content));
});

test('a job cancelled at one process ends in the other', async ({ at }) => {
  const [a, b] = at as [Visitor, Visitor];
  const files = Array.from({ length: 300 }, (_, n) => ({ name: `${n}.txt`, data: `bill ${n}` }));
  const id = await upload(b, 'Bills.zip', forge(files));
  const { json } = await b.post(`/api/documents/${id}/extract`, {});
  const path = `/api/documents/extraction-status/${json.extraction_id}`;
  await until(async () => (await a.get(path)).json.data.status === 'processing');
  await a.call('DELETE', path);
  await until(async () => (await a.get(path)).json.data.status === 'cancelled');
  assert.not.ok((await names(a)).includes('Bills'));
});

postgresOnly(test).run();
