import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRecords } from '../records/service.ts';
import { ASHA } from '../testing/http-world.ts';
import { postgresOnly } from '../testing/postgres.ts';
import { withRetries } from '../testing/cluster/with-retries.ts';
import { startCluster } from '../testing/cluster/cluster.ts';
import { until } from '../testing/until.ts';
import { Visitor } from '../testing/visitor.ts';

const CLIENTS = 10;
const FILES = 12;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

const test = suite('three processes behind a balancer, killed one after the other');

test('nothing confirmed is lost, nothing is duplicated, and totals are consistent', async () => {
  const vault = await startCluster(3);
  try {
    const asha = await new Visitor(vault.balancer.base).arrive();
    assert.is((await asha.post('/api/auth/register', ASHA)).status, 201);
    const confirmed = new Map<string, string>();
    let renamed = 0;

    /** Uploads, with a key by which a second try is known, looks at the list, and renames. */
    async function one(client: number, n: number): Promise<void> {
      const content = randomBytes(20_000);
      const said = { filename: `${client}-${n}.pdf`, upload_key: randomUUID() };
      const metadata = Object.entries(said).map(
        ([key, text]) => `${key} ${Buffer.from(text).toString('base64')}`,
      );
      const headers = {
        'tus-resumable': '1.0.0',
        'content-type': 'application/offset+octet-stream',
        'upload-length': String(content.length),
        'upload-metadata': metadata.join(','),
      };
      const sent = await withRetries(() =>
        asha.call('POST', '/api/documents/resumable', { body: content, headers }),
      );
      assert.ok(sent.status < 300, sent.text);
      const { id } = sent.json.data;
      confirmed.set(`${client}-${n}`, sha256(content));
      const list = await withRetries(() => asha.get('/api/documents'));
      assert.is(list.status, 200, list.text);
      const name = `${client}-${n} renamed.pdf`;
      const done = await withRetries(() =>
        asha.call('PATCH', `/api/documents/${id}/rename`, { body: { name } }),
      );
      assert.is(done.status, 200, done.text);
      renamed += 1;
    }
    async function work(client: number): Promise<void> {
      for (let n = 0; n < FILES; n += 1) await one(client, n);
    }
    const working = Promise.all(Array.from({ length: CLIENTS }, (_, client) => work(client)));
    working.catch(() => {});
    const goesOn = async (more: number) => {
      const before = renamed;
      await until(() => renamed >= Math.min(before + more, CLIENTS * FILES), 60_000);
    };
    for (const server of vault.servers) {
      await goesOn(10);
      await server.kill();
      await goesOn(5);
      await server.start();
    }
    // As when PostgreSQL is started again.
    await vault.db.raw(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await working;

    const items: { name: string; sha256: string }[] = await vault.db('items').select('name', 'sha256');
    const wanted = Array.from(confirmed, ([name, sum]) => `${name} renamed.pdf ${sum}`);
    assert.is(wanted.length, CLIENTS * FILES);
    assert.equal(items.map((item) => `${item.name} ${item.sha256}`).toSorted(), wanted.toSorted());
    assert.equal(await createRecords({ db: vault.db, clock: () => new Date() }).recount(), []);
    assert.equal(await vault.db('storage_reservations'), [], 'no room is held for what is done');
    for (const { id } of await vault.db('items').select('id').limit(10)) {
      const { json } = await withRetries(() => asha.post(`/api/documents/${id}/download-token`, {}));
      assert.is((await withRetries(() => asha.get(json.download_url))).status, 200);
    }
    await until(async () => (await vault.db('processes')).length === 3, 60_000);
  } finally {
    await vault.stop();
  }
});

postgresOnly(test).run();
