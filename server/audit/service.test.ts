import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { testActor } from '../testing/actor.ts';
import { migrate, openDatabase } from '../datadir/database.ts';
import { createColumnSealer } from '../db/column-encryption.ts';
import { inRequest } from '../http/request-context.ts';
import type { Audit } from './service.ts';
import { createAudit } from './service.ts';

const test = suite<{ db: Knex; audit: Audit }>('audit');
test.before.each(async (world) => {
  world.db = openDatabase(':memory:');
  await migrate(world.db, null, new Date());
  await world.db('firms').insert({ id: 7, name: 'Rao', created_at: '' });
  world.audit = createAudit({
    db: world.db,
    clock: () => new Date('2026-11-20T10:00:00Z'),
    seal: createColumnSealer(randomBytes(32), 'history'),
  });
});
test.after.each(({ db }) => db.destroy());

test('an entry has the actor, the event, its subject and the address', async ({ db, audit }) => {
  await inRequest({ requestId: 'r-1', ip: '192.0.2.1' }, async () => {
    const entry = { firmId: 7, did: 'item.delete' as const, subject: 'item:17', detail: { name: 'a.pdf' } };
    await db.transaction((trx) => audit.record(trx, entry));
  });
  const { content, link, ...row } = await db('audit_events').first();
  assert.equal([content.length, link.length], [32, 32]);
  assert.equal(row, {
    id: 1,
    firm_id: 7,
    user_id: null,
    did: 'item.delete',
    subject: 'item:17',
    detail: '{"name":"a.pdf"}',
    ip: '192.0.2.1',
    request_id: 'r-1',
    at: '2026-11-20T10:00:00.000Z',
  });
});

test('an entry of a job has no address and no request id', async ({ db, audit }) => {
  await audit.recordAlone({ did: 'jobs.resume' });
  const row = await db('audit_events').first();
  assert.is(row.request_id, null);
  assert.is(row.ip, null);
});

test('an entry is rolled back with its transaction', async ({ db, audit }) => {
  await db
    .transaction(async (trx) => {
      await audit.record(trx, { did: 'item.delete' });
      throw new Error('undone');
    })
    .catch(() => {});
  assert.equal(await db('audit_events'), []);
});

test('the database refuses to change or delete entries, even for the program itself', async ({
  db,
  audit,
}) => {
  await audit.recordAlone({ did: 'item.delete' });
  for (const tamper of [db('audit_events').update({ did: 'x.y' }), db('audit_events').delete()]) {
    await tamper.then(
      () => assert.unreachable(),
      (error: Error) => assert.match(error.message, /append-only/),
    );
  }
  assert.is((await db('audit_events')).length, 1);
});

test('a preview is shown as "Viewed", also in old entries, since nothing was downloaded', async ({
  audit,
}) => {
  await audit.recordAlone({ firmId: 7, did: 'document.download', detail: { name: 'a.pdf', inline: true } });
  await audit.recordAlone({ firmId: 7, did: 'document.download', detail: { name: 'a.pdf' } });
  const actor = testActor({ firmId: 7 });
  const { data } = await audit.list(actor, {});
  assert.equal(
    data.map(({ what }) => what),
    ['Downloaded', 'Viewed'],
  );
});

test.run();
