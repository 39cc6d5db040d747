import type { Knex } from 'knex';
import type { JobRow } from './model.ts';

/**
 * Takes the next waiting job: of the firm that has the fewest running, then of the one served longest ago, then the
 * oldest. A firm never has more than `perFirm` at once.
 */
export function claim(
  db: Knex,
  { now, leased_until, perFirm }: { now: string; leased_until: string; perFirm: number },
): Promise<JobRow | null> {
  return db.transaction(async (trx) => {
    const next: { id: number }[] = await trx.raw(
      `SELECT w.id FROM (SELECT firm_id, min(id) AS id FROM jobs WHERE status = 'starting' GROUP BY firm_id) w
       LEFT JOIN (SELECT firm_id, count(*) AS busy FROM jobs WHERE status = 'processing' GROUP BY firm_id) r
         ON r.firm_id = w.firm_id
       WHERE coalesce(r.busy, 0) < ?
       ORDER BY coalesce(r.busy, 0),
         (SELECT coalesce(max(started_at), '') FROM jobs s WHERE s.firm_id = w.firm_id), w.id
       LIMIT 1`,
      [perFirm],
    );
    if (!next[0]) return null;
    const [row] = (await trx('jobs')
      .where({ id: next[0].id, status: 'starting' })
      .update({ status: 'processing', started_at: now, leased_until, attempts: trx.raw('attempts + 1') })
      .returning('*')) as JobRow[];
    return row ?? null;
  });
}

/**
 * What a process that is no more left running waits again, or fails when it has been begun often enough. The data
 * folder's lock says that no other process is working on it.
 */
export async function recover(
  db: Knex,
  { now, attemptsOf, message }: { now: string; attemptsOf: (kind: string) => number; message: string },
): Promise<void> {
  const left: Pick<JobRow, 'id' | 'kind' | 'attempts'>[] = await db('jobs')
    .where({ status: 'processing' })
    .select('id', 'kind', 'attempts');
  for (const { id, kind, attempts } of left) {
    const change =
      attempts < attemptsOf(kind)
        ? { status: 'starting', progress: 0, leased_until: null }
        : { status: 'failed', message, code: 'interrupted', finished_at: now, leased_until: null };
    await db('jobs').where({ id }).update(change);
  }
}
