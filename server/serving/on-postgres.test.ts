import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ASHA } from '../testing/http-world.ts';
import { CONTENT_TYPE, filePart, multipart } from '../testing/multipart.ts';
import { bareDatabase, postgresOnly } from '../testing/postgres.ts';
import { Visitor } from '../testing/visitor.ts';
import { startServer } from '../testing/server-process.ts';

const test = suite('the whole server on PostgreSQL');

test('on PostgreSQL uploads are listed, found and downloaded after the process was killed; without DATABASE_URL the server refuses to start', async () => {
  const { address, drop } = await bareDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'almirah-on-postgres-'));
  const env = { DATA_DIR: dataDir, DATABASE_URL: address };
  const first = await startServer(env);
  let second: Awaited<ReturnType<typeof startServer>> | undefined;
  try {
    await first.up();
    const asha = await new Visitor(first.base).arrive();
    assert.is((await asha.post('/api/auth/register', ASHA)).status, 201);
    const sent = await asha.call('POST', '/api/documents/upload', {
      body: multipart([filePart('Sharma balance sheet.txt', 'Assets and liabilities')]),
      headers: { 'content-type': CONTENT_TYPE },
    });
    assert.is(sent.status, 201, sent.text);
    await first.end('SIGKILL');

    second = await startServer(env);
    await second.up();
    const again = new Visitor(second.base);
    for (const [name, value] of asha.jar) again.jar.set(name, value);
    const { items } = (await again.get('/api/documents')).json.data;
    assert.equal(
      items.map(({ name }: { name: string }) => name),
      ['Sharma balance sheet.txt'],
    );
    const found = await again.get('/api/documents/search?query=balance');
    assert.match(found.text, /Sharma balance sheet/);
    const { json } = await again.post(`/api/documents/${items[0].id}/download-token`, {});
    assert.is((await again.get(json.download_url)).text, 'Assets and liabilities');
    await second.end('SIGTERM');

    const forgetful = await startServer({ DATA_DIR: dataDir, DATABASE_URL: '' });
    assert.match(
      await forgetful.refusal(),
      /is in PostgreSQL: set DATABASE_URL to it\. Nothing was changed\./,
    );
  } finally {
    await first.end('SIGKILL');
    await second?.end('SIGKILL');
    await drop();
    await rm(dataDir, { recursive: true });
  }
});

postgresOnly(test).run();
