import type { Knex } from 'knex';

interface Letter {
  id: number;
  kind: string;
  message_id: string;
  content: Buffer | null;
  status: string;
  attempts: number;
  next_attempt_at: string;
  expires_at: string;
  last_error: string | null;
  created_at: string;
  finished_at: string | null;
}

interface LetterJob {
  subject: string;
  input: string;
  sealed: Buffer | null;
  status: string;
  attempts: number;
  due_at: string;
  message: string;
  code: string | null;
  created_at: string;
  finished_at: string | null;
}

const AS_JOB: Record<string, string> = { waiting: 'starting', sent: 'completed', failed: 'failed' };
const SAID: Record<string, string> = { waiting: 'Waiting to be sent', sent: 'Sent', failed: '' };

/** Work of the server joins the jobs of users: e-mails, which leave the outbox, and periodic work. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.renameTable('jobs', 'jobs_before');
  await knex.schema.createTable('jobs', (t) => {
    t.increments('id');
    t.text('kind').notNullable();
    // The firm of the job; null for work of the server itself.
    t.integer('firm_id').references('firms.id');
    t.integer('user_id').references('users.id');
    t.text('subject').notNullable();
    t.text('actor');
    t.text('input').notNullable();
    // Encrypted data, not readable in a copy of the database; null once the job has ended.
    t.binary('sealed');
    t.text('status').notNullable();
    t.integer('progress').notNullable();
    t.text('message').notNullable();
    t.text('code');
    t.text('data').notNullable();
    t.integer('attempts').notNullable();
    // The interval of a periodic job in milliseconds; such a job never ends.
    t.integer('every');
    t.text('due_at').notNullable();
    t.text('leased_until');
    t.text('created_at').notNullable();
    t.text('started_at');
    t.text('finished_at');
  });
  const same =
    'id, kind, firm_id, user_id, subject, actor, input, status, progress, message, code, data, attempts, ' +
    'leased_until, created_at, started_at, finished_at';
  await knex.raw(`INSERT INTO jobs (${same}, due_at) SELECT ${same}, created_at FROM jobs_before`);
  await knex.schema.dropTable('jobs_before');
  await knex.schema.alterTable('jobs', (t) => {
    t.index(['status', 'kind', 'firm_id', 'due_at']);
    t.index(['firm_id', 'user_id', 'id']);
    t.index(['kind', 'finished_at']);
  });
  await knex.raw('CREATE UNIQUE INDEX jobs_rounds ON jobs (kind) WHERE every IS NOT NULL');

  const letters = (await knex('outbox').orderBy('id')) as Letter[];
  await knex.batchInsert(
    'jobs',
    letters.map((letter) => ({
      kind: 'letter',
      subject: letter.kind,
      input: JSON.stringify({ message_id: letter.message_id, expires_at: letter.expires_at }),
      sealed: letter.content,
      status: AS_JOB[letter.status]!,
      progress: letter.status === 'sent' ? 100 : 0,
      message: letter.last_error ?? SAID[letter.status]!,
      code: letter.last_error === null ? null : 'undeliverable',
      data: '{}',
      attempts: letter.attempts,
      due_at: letter.next_attempt_at,
      created_at: letter.created_at,
      finished_at: letter.finished_at,
    })),
    30,
  );
  await knex.schema.dropTable('outbox');
}

/** Ignores fields of the input that later versions have added. */
function outboxFields({ input }: LetterJob): Pick<Letter, 'message_id' | 'expires_at'> {
  const { message_id, expires_at } = JSON.parse(input) as Letter;
  return { message_id, expires_at };
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'what the server has yet to do by itself, other than sending e-mails';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.createTable('outbox', (t) => {
    t.increments('id');
    t.text('kind').notNullable();
    t.text('message_id').notNullable();
    t.binary('content');
    t.text('status').notNullable();
    t.integer('attempts').notNullable();
    t.text('next_attempt_at').notNullable();
    t.text('expires_at').notNullable();
    t.text('last_error');
    t.text('created_at').notNullable();
    t.text('finished_at');
    t.index(['status', 'next_attempt_at']);
  });
  const letters = (await knex('jobs').where({ kind: 'letter' }).orderBy('id')) as LetterJob[];
  await knex.batchInsert(
    'outbox',
    letters.map((job) => ({
      kind: job.subject,
      ...outboxFields(job),
      content: job.sealed,
      status: { completed: 'sent', failed: 'failed' }[job.status] ?? 'waiting',
      attempts: job.attempts,
      next_attempt_at: job.due_at,
      last_error: job.code === null ? null : job.message,
      created_at: job.created_at,
      finished_at: job.finished_at,
    })),
    30,
  );
  await knex('jobs').whereNull('user_id').delete();
  await knex.raw('DROP INDEX jobs_rounds');
  await knex.schema.alterTable('jobs', (t) => {
    t.dropIndex(['status', 'kind', 'firm_id', 'due_at']);
    t.dropIndex(['kind', 'finished_at']);
    t.dropColumns('sealed', 'every', 'due_at');
    t.dropNullable('firm_id');
    t.dropNullable('user_id');
    t.dropNullable('actor');
    t.index(['status', 'id']);
    t.index(['finished_at']);
  });
}
