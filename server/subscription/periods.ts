import type { Knex } from 'knex';
import type { Clock } from '../clock.ts';
import type { Cycle } from './contract.ts';
import { IST_OFFSET_MS } from '#server/text/day-in-india.ts';

export const MONTHS: Record<Cycle, number> = { monthly: 1, yearly: 12 };

/**
 * The same time of day and day of the month in India, `months` later; the last day of a shorter month. Times are ISO
 * 8601 in UTC.
 */
export function addMonths(from: string, months: number): string {
  const local = new Date(Date.parse(from) + IST_OFFSET_MS);
  const day = local.getUTCDate();
  local.setUTCDate(1);
  local.setUTCMonth(local.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 0)).getUTCDate();
  local.setUTCDate(Math.min(day, lastDay));
  return new Date(local.getTime() - IST_OFFSET_MS).toISOString();
}

/** A period to add to a firm's subscription. */
interface NewPeriod {
  firm_id: number;
  plan_id: number;
  billing_cycle: Cycle;
  amount_paise: number;
  storage_gb: number;
  max_users: number;
  /** Null for a grant without a payment. */
  payment_id: number | null;
}

interface PeriodRow {
  id: number;
  starts_at: string;
  ends_at: string;
}

/** Adds paid periods to a firm, and revokes them. Every call runs in the transaction of its cause. */
export function createPeriods({ clock }: { clock: Clock }) {
  const unexpired = (trx: Knex.Transaction, firmId: number, planId: number, now: string) =>
    trx('subscriptions')
      .where({ firm_id: firmId, plan_id: planId, revoked_at: null })
      .where('ends_at', '>', now)
      .orderBy('starts_at')
      .select('id', 'starts_at', 'ends_at') as unknown as Promise<PeriodRow[]>;

  return {
    /** Extends a running subscription to the same plan; another plan starts immediately. */
    async add(
      trx: Knex.Transaction,
      purchase: NewPeriod,
      months = MONTHS[purchase.billing_cycle],
    ): Promise<{ starts_at: string; ends_at: string }> {
      const now = clock().toISOString();
      const unexpiredPeriods = await unexpired(trx, purchase.firm_id, purchase.plan_id, now);
      // From the latest end, which need not belong to the last start: paid periods of one plan never overlap.
      const starts_at = unexpiredPeriods.reduce(
        (latest, { ends_at }) => (ends_at > latest ? ends_at : latest),
        now,
      );
      const period = { starts_at, ends_at: addMonths(starts_at, months) };
      const { firm_id, plan_id, billing_cycle, amount_paise, storage_gb, max_users, payment_id } = purchase;
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

    /** Revokes the period of a payment. Later paid periods of the same plan move forward into the gap. */
    async revoke(trx: Knex.Transaction, paymentId: number): Promise<void> {
      const now = clock().toISOString();
      const revoked = (await trx('subscriptions')
        .where({ payment_id: paymentId, revoked_at: null })
        .first()) as (PeriodRow & { firm_id: number; plan_id: number }) | undefined;
      if (!revoked) return;
      await trx('subscriptions').where({ id: revoked.id }).update({ revoked_at: now });
      const from = revoked.starts_at > now ? revoked.starts_at : now;
      const freedMs = Date.parse(revoked.ends_at) - Date.parse(from);
      if (freedMs <= 0) return;
      const earlier = (time: string) => new Date(Date.parse(time) - freedMs).toISOString();
      for (const { id, starts_at, ends_at } of await unexpired(trx, revoked.firm_id, revoked.plan_id, now)) {
        if (starts_at < revoked.ends_at) continue;
        await trx('subscriptions')
          .where({ id })
          .update({ starts_at: earlier(starts_at), ends_at: earlier(ends_at) });
      }
    },
  };
}
export type Periods = ReturnType<typeof createPeriods>;
