import type { Knex } from 'knex';

const KIND = 'gateway event';

interface Waiting {
  event_id: string;
  event: string;
  gateway_order_id: string | null;
  gateway_payment_id: string | null;
  received_at: string;
  tries: number;
  next_try_at: string;
}

interface Job {
  input: string;
  attempts: number;
  due_at: string;
}

/** Events of the payment gateway that wait for a retry become jobs, which store the number of tries and the time of the next. */
export async function up(knex: Knex): Promise<void> {
  const waiting = (await knex('gateway_events')
    .whereNotNull('next_try_at')
    .orderBy('received_at')) as Waiting[];
  await knex.batchInsert(
    'jobs',
    waiting.map(({ event, received_at, tries, next_try_at, ...about }) => ({
      kind: KIND,
      subject: event,
      input: JSON.stringify({
        event_id: about.event_id,
        gateway_order_id: about.gateway_order_id,
        gateway_payment_id: about.gateway_payment_id,
      }),
      status: 'starting',
      progress: 0,
      message: 'Waiting to be acted on',
      data: '{}',
      attempts: tries,
      due_at: next_try_at,
      created_at: received_at,
    })),
    30,
  );
  await knex.raw('DROP INDEX gateway_events_next_try_at_index');
  await knex.raw('ALTER TABLE gateway_events DROP COLUMN tries');
  await knex.raw('ALTER TABLE gateway_events DROP COLUMN next_try_at');
}

/** What a step down (`down`) deletes from a vault. */
export const lost = null;

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('gateway_events', (t) => {
    t.integer('tries').notNullable().defaultTo(0);
    t.text('next_try_at').index();
  });
  const jobs = (await knex('jobs')
    .where({ kind: KIND })
    .whereIn('status', ['starting', 'processing'])) as Job[];
  for (const { input, attempts, due_at } of jobs) {
    const { event_id } = JSON.parse(input) as { event_id: string };
    await knex('gateway_events').where({ event_id }).update({ tries: attempts, next_try_at: due_at });
  }
  await knex('jobs').where({ kind: KIND }).delete();
}
