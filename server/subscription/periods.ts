import type { Knex } from 'knex';
import type { Clock } from '../clock.ts';
import type { Cycle } from './contract.ts';

/** India keeps one clock all the year round. */
const IST_AHEAD = 5.5 * 60 * 60_000;
export const MONTHS: Record<Cycle, number> = { monthly: 1, yearly: 12 };

/**
 * The same moment of the Indian calendar so many months later; the last day of the month where that has no such day.
 * Times are ISO 8601 in UTC.
 */
export function addMonths(from: string, months: number): string {
  const local = new Date(Date.parse(from) + IST_AHEAD);
  const day = local.getUTCDate();
  local.setUTCDate(1);
  local.setUTCMonth(local.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 0)).getUTCDate();
  local.setUTCDate(Math.min(day, lastDay));
  return new Date(local.getTime() - IST_AHEAD).toISOString();
}

/** A stretch of time that a firm gets. */
export interface Bought {
  firm_id: number;
  plan_id: number;
  billing_cycle: Cycle;
  amount_paise: number;
  storage_gb: number;
  max_users: number;
  /** Null for what was granted without a payment. */
  payment_id: number | null;
}

interface Stretch {
  id: number;
  starts_at: string;
  ends_at: string;
}

/** Adds paid time to a firm, and takes it away again. Every call runs in the transaction of its reason. */
export function createPeriods({ clock }: { clock: Clock }) {
  const running = (trx: Knex.Transaction, firmId: number, planId: number, now: string) =>
    trx('subscriptions')
      .where({ firm_id: firmId, plan_id: planId, revoked_at: null })
      .where('ends_at', '>', now)
      .orderBy('starts_at')
      .select('id', 'starts_at', 'ends_at') as unknown as Promise<Stretch[]>;

  return {
    /** Time of a plan that still runs is made longer; another plan starts at once. */
    async add(
      trx: Knex.Transaction,
      bought: Bought,
      months = MONTHS[bought.billing_cycle],
    ): Promise<{ starts_at: string; ends_at: string }> {
      const now = clock().toISOString();
      const present = await running(trx, bought.firm_id, bought.plan_id, now);
      // The latest end, not the last to start: nothing that is paid for may run under something else of the same plan.
      const starts_at = present.reduce((latest, { ends_at }) => (ends_at > latest ? ends_at : latest), now);
      const period = { starts_at, ends_at: addMonths(starts_at, months) };
      const { firm_id, plan_id, billing_cycle, amount_paise, storage_gb, max_users, payment_id } = bought;
      await trx('subscriptions').insert({
        firm_id,
        plan_id,
        billing_cycle,
        amount_paise,
        storage_gb,
        max_users,
        payment_id,
        ...period,
      });
      return period;
    },

    /** Ends what a payment bought. Time of the same plan that was paid for separately moves up into its place. */
    async revoke(trx: Knex.Transaction, paymentId: number): Promise<void> {
      const now = clock().toISOString();
      const gone = (await trx('subscriptions').where({ payment_id: paymentId, revoked_at: null }).first()) as
        (Stretch & { firm_id: number; plan_id: number }) | undefined;
      if (!gone) return;
      await trx('subscriptions').where({ id: gone.id }).update({ revoked_at: now });
      const from = gone.starts_at > now ? gone.starts_at : now;
      const freed = Date.parse(gone.ends_at) - Date.parse(from);
      if (freed <= 0) return;
      const earlier = (time: string) => new Date(Date.parse(time) - freed).toISOString();
      for (const { id, starts_at, ends_at } of await running(trx, gone.firm_id, gone.plan_id, now)) {
        if (starts_at < gone.ends_at) continue;
        await trx('subscriptions')
          .where({ id })
          .update({ starts_at: earlier(starts_at), ends_at: earlier(ends_at) });
      }
    },
  };
}
export type Periods = ReturnType<typeof createPeriods>;
