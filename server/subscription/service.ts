import type { Knex } from 'knex';
import type { Audit } from '#server/audit/service.ts';
import type { Clock } from '../clock.ts';
import type { Limits } from './contract.ts';
import type { History, Standing } from './standing.ts';
import { standingOf } from './standing.ts';

export interface SubscriptionParts {
  db: Knex;
  clock: Clock;
  audit: Audit;
  /** Bytes that the firm's files take. */
  used: (firmId: number) => Promise<number>;
}

/** What the firm's rows tell, in one statement since every upload asks. */
async function historyOf(trx: Knex, firmId: number): Promise<History> {
  const rows: (History['periods'][number] & { trial_ends_at: string | null })[] = await trx.raw(
    `SELECT t.ends_at AS trial_ends_at, s.plan_id, p.name AS plan_name, p.storage_gb, p.max_users, s.amount_paise,
       s.billing_cycle, s.starts_at, s.ends_at
     FROM firms f LEFT JOIN trials t ON t.firm_id = f.id
       LEFT JOIN subscriptions s ON s.firm_id = f.id LEFT JOIN plans p ON p.id = s.plan_id
     WHERE f.id = ?`,
    [firmId],
  );
  const trial_ends_at = rows[0]?.trial_ends_at ?? null;
  return { trial_ends_at, periods: rows.filter(({ plan_id }) => plan_id !== null) };
}

export function createSubscription({ db, clock }: SubscriptionParts) {
  async function standing(firmId: number, trx: Knex = db): Promise<Standing> {
    return standingOf(await historyOf(trx, firmId), clock().toISOString());
  }

  return {
    /** What the firm may use now. */
    limits: async (firmId: number, trx: Knex = db): Promise<Limits> => (await standing(firmId, trx)).limits,
  };
}
export type Subscription = ReturnType<typeof createSubscription>;
