import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ASHA } from '../testing/http-world.ts';
import { CONTENT_TYPE, filePart, multipart } from '../testing/multipart.ts';
import { databaseAt, postgresOnly } from '../testing/postgres.ts';
import { until } from '../testing/until.ts';
import { Visitor } from '../testing/visitor.ts';
import { startPostgres } from '../tools/postgres/server.ts';
import { startServer } from '../testing/server-process.ts';

const test = suite('a server whose PostgreSQL is unavailable');

const upload = (asha: Visitor, name: string) =>
  asha.call('POST', '/api/documents/upload', {
    body: multipart([filePart(name, 'Assets and liabilities')]),
    headers: { 'content-type': CONTENT_TYPE },
  });

test('an outage of PostgreSQL is reported with 503, loses nothing confirmed, and ends without a restart, twice', async () => {
  const postgres = await startPostgres();
  const dataDir = await mkdtemp(join(tmpdir(), 'almirah-away-'));
  const server = await startServer({ DATA_DIR: dataDir, DATABASE_URL: postgres.address });
  try {
    await server.up();
    const asha = await new Visitor(server.base).arrive();
    assert.is((await asha.post('/api/auth/register', ASHA)).status, 201);
    const kept: string[] = [];
    for (const name of ['one.txt', 'two.txt']) {
      const sent = await upload(asha, name);
      assert.is(sent.status, 201, sent.text);
      kept.push(name);

      postgres.kill();
      for (const call of [
        () => asha.get('/api/documents'),
        () => upload(asha, `${name} meanwhile`),
        () => asha.get('/api/documents/search?query=one'),
      ]) {
        const { status, json } = await call();
        assert.equal([status, json.code], [503, 'database_away']);
        assert.match(json.message, /^The database does not answer, so .*Try again in a minute/);
      }
      await postgres.restart();

      await until(async () => (await asha.get('/api/documents')).status === 200);
      const { items } = (await asha.get('/api/documents')).json.data;
      assert.equal(items.map((item: { name: string }) => item.name).toSorted(), kept.toSorted());
    }
    const again = await upload(asha, 'three.txt');
    assert.is(again.status, 201, again.text);
    await server.end('SIGTERM');
    assert.not.match(server.said(), /uncaughtException|unhandledRejection/);
  } finally {
    await server.end('SIGKILL');
    postgres.stop();
    await rm(dataDir, { recursive: true });
  }
});

test('the server does not start with a wrong database password, and does not reveal it', async () => {
  const postgres = await startPostgres({ requirePasswords: true });
  const dataDir = await mkdtemp(join(tmpdir(), 'almirah-away-'));
  try {
    const wrong = new URL(databaseAt(postgres.address, 'postgres'));
    wrong.password = 'tell-nobody';
    const server = await startServer({ DATA_DIR: dataDir, DATABASE_URL: wrong.href });
    const said = await server.refusal();
    assert.match(said, /refused the user or the password of DATABASE_URL .*Correct them there/);
    assert.not.match(said, /tell-nobody/);
  } finally {
    postgres.stop();
    await rm(dataDir, { recursive: true });
  }
});

postgresOnly(test).run();
