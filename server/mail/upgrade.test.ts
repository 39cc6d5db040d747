import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { migrate, openDatabase } from '../datadir/database.ts';
import { createJobs } from '../jobs/service.ts';
import { createColumnSealer } from '../db/column-encryption.ts';
import { createMail } from './service.ts';
import type { Message } from './transport.ts';

const BEFORE = '20261121120000_one_queue.ts';

test('the migration to one queue keeps queued e-mails and jobs, in both directions', async () => {
  const db = openDatabase(':memory:', { guarded: false });
  // oxlint-disable-next-line no-unmodified-loop-condition -- each turn brings the database one step on
  for (let at = ''; at !== BEFORE;) {
    const [, [next]] = (await db.migrate.list()) as [unknown, string[]];
    at = next!;
    if (at !== BEFORE) await db.migrate.up();
  }
  const seal = createColumnSealer(randomBytes(32), 'outbox');
  const now = new Date('2026-11-21T10:00:00.000Z');
  const letter = (subject: string) =>
    seal.seal(
      JSON.stringify({
        to: { name: 'Asha Rao', email: 'asha@rao.in' },
        letter: { subject, parts: ['Dear Asha,'] },
        attachments: [],
      }),
    );
  const row = {
    kind: 'auth.reset',
    content: null as Buffer | null,
    attempts: 0,
    next_attempt_at: '2026-11-21T09:59:00.000Z',
    expires_at: '2026-11-21T11:00:00.000Z',
    created_at: '2026-11-21T09:58:00.000Z',
    last_error: null as string | null,
    finished_at: null as string | null,
  };
  const finished_at = '2026-11-21T09:59:30.000Z';
  await db('outbox').insert([
    { ...row, message_id: '<1@x>', status: 'waiting', content: letter('due') },
    { ...row, message_id: '<2@x>', status: 'sent', finished_at },
    { ...row, message_id: '<3@x>', status: 'failed', finished_at, last_error: 'no such user' },
    {
      ...row,
      message_id: '<4@x>',
      status: 'waiting',
      content: letter('later'),
      attempts: 3,
      last_error: 'try later',
      next_attempt_at: '2026-11-21T10:05:00.000Z',
    },
  ]);
  const [firm] = await db('firms').insert({ name: 'Rao & Co', created_at: '' }).returning('id');
  await db('users').insert({
    id: 1,
    firm_id: firm!.id,
    name: 'Asha Rao',
    email: 'asha@rao.in',
    phone: '9876543210',
    ca_license_number: 'CA123456',
    password_hash: '',
    role: 'admin',
    permissions: '[]',
    updated_at: '',
    created_at: '',
  });
  await db('jobs').insert({
    kind: 'extraction',
    firm_id: firm!.id,
    user_id: 1,
    subject: 'item:1',
    actor: '{}',
    input: '{}',
    status: 'starting',
    progress: 0,
    message: 'Waiting',
    data: '{}',
    attempts: 0,
    created_at: '2026-11-21T09:58:00.000Z',
  });
  const before = { outbox: await db('outbox'), jobs: await db('jobs') };

  await migrate(db, null, now);
  for (let last = ''; last !== BEFORE;) {
    const [done] = (await db.migrate.list()) as [{ name: string }[], unknown];
    last = done.at(-1)!.name;
    await db.migrate.down();
  }
  assert.equal({ outbox: await db('outbox'), jobs: await db('jobs') }, before);
  await migrate(db, null, now);

  const arrived: Message[] = [];
  let time = now.getTime();
  const clock = () => new Date(time);
  const mail = createMail({
    clock,
    jobs: createJobs({ db, clock, log: pino({ level: 'silent' }) }),
    seal,
    transport: {
      sends: true,
      means: '',
      deliver: async (message) => void arrived.push(message),
      close: () => {},
    },
    settings: { appName: 'Almirah', baseUrl: 'https://vault.test', mailFrom: 'vault@office.test' },
  });
  assert.is(await mail.deliver(), 1);
  time += 5 * 60_000;
  assert.is(await mail.deliver(), 1);
  assert.equal(
    arrived.map(({ messageId, kind, subject }) => [messageId, kind, subject]),
    [
      ['<1@x>', 'auth.reset', 'due'],
      ['<4@x>', 'auth.reset', 'later'],
    ],
  );
  const jobs = await db('jobs').orderBy('id').select('kind', 'status', 'message');
  assert.equal(jobs.map(Object.values), [
    ['extraction', 'starting', 'Waiting'],
    ['letter', 'completed', 'Sent'],
    ['letter', 'completed', 'Sent'],
    ['letter', 'failed', 'no such user'],
    ['letter', 'completed', 'Sent'],
  ]);
  await db.destroy();
});

test.run();
