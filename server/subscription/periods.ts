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
  plan_id: number;
  starts_at: string;
  ends_at: string;
}

const later = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString();

/**
 * Adds paid periods to a firm, and revokes them. Periods of a firm never overlap: of every period that is paid the firm gets the whole
 * length. Every call runs in the transaction of its cause.
 */
export function createPeriods({ clock }: { clock: Clock }) {
  const unexpired = (trx: Knex.Transaction, firmId: number, now: string) =>
    trx('subscriptions')
      .where({ firm_id: firmId, revoked_at: null })
      .where('ends_at', '>', now)
      .orderBy(['starts_at', 'id'])
      .select('id', 'plan_id', 'starts_at', 'ends_at') as unknown as Promise<PeriodRow[]>;

  const move = (trx: Knex.Transaction, { id }: PeriodRow, starts_at: string, ends_at: string) =>
    trx('subscriptions').where({ id }).update({ starts_at, ends_at });

  return {
    /**
     * Extends an unexpired subscription to the same plan; another plan starts immediately. What is left of other plans from then on
     * continues after it.
     */
    async add(
      trx: Knex.Transaction,
      purchase: NewPeriod,
      months = MONTHS[purchase.billing_cycle],
    ): Promise<{ starts_at: string; ends_at: string }> {
      const now = clock().toISOString();
      const { firm_id, plan_id, billing_cycle, amount_paise, storage_gb, max_users, payment_id } = purchase;
      const rows = await unexpired(trx, firm_id, now);
      const starts_at = rows
        .filter((row) => row.plan_id === plan_id)
        .reduce((latest, { ends_at }) => (ends_at > latest ? ends_at : latest), now);
      const period = { starts_at, ends_at: addMonths(starts_at, months) };
      const length = Date.parse(period.ends_at) - Date.parse(starts_at);
      for (const row of rows) {
        if (row.plan_id === plan_id || row.ends_at <= starts_at) continue;
        // Of a period that is interrupted, the part before is over.
        const from = row.starts_at > starts_at ? row.starts_at : starts_at;
        await move(trx, row, later(from, length), later(row.ends_at, length));
      }
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

    /** Revokes the period of a payment. Later periods move forward into the gap. */
    async revoke(trx: Knex.Transaction, paymentId: number): Promise<void> {
      const now = clock().toISOString();
      const revoked = (await trx('subscriptions')
        .where({ payment_id: paymentId, revoked_at: null })
        .first()) as (PeriodRow & { firm_id: number }) | undefined;
      if (!revoked) return;
      await trx('subscriptions').where({ id: revoked.id }).update({ revoked_at: now });
      const from = revoked.starts_at > now ? revoked.starts_at : now;
      const freed = Date.parse(revoked.ends_at) - Date.parse(from);
      if (freed <= 0) return;
      for (const row of await unexpired(trx, revoked.firm_id, now)) {
        if (row.starts_at < revoked.ends_at) continue;
        await move(trx, row, later(row.starts_at, -freed), later(row.ends_at, -freed));
      }
    },
  };
}
export type Periods = ReturnType<typeof createPeriods>;
