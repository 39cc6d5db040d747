import type { Knex } from 'knex';
import type { Audit } from '#server/audit/service.ts';
import { invalid, notFound } from '#server/http/errors.ts';
import type { Clock } from '../clock.ts';
import type { Periods } from './periods.ts';
import { Plan } from './plans.ts';

/** What can be set of a plan. Prices in whole rupees, GST included. */
export interface PlanTerms {
  monthly_price: number;
  yearly_price: number;
  storage_gb: number;
  max_users: number;
  is_popular: boolean;
}

/** What the operator does with plans. Every act is on record; there is no actor, since whoever has the server may. */
export function createAdministration({
  db,
  clock,
  audit,
  periods,
  firmOf,
}: {
  db: Knex;
  clock: Clock;
  audit: Audit;
  periods: Periods;
  /** The firm of the user with this e-mail address. */
  firmOf: (db: Knex, email: string) => Promise<number | undefined>;
}) {
  async function named(trx: Knex.Transaction, name: string): Promise<Plan> {
    const plan = await Plan.query(trx).whereRaw('lower(name) = lower(?)', [name]).first();
    if (!plan) throw notFound(`plan "${name}"`);
    return plan;
  }

  return {
    list: async (): Promise<Plan[]> => Plan.query(db).orderBy(['retired_at', 'monthly_price', 'id']),

    async add(name: string, terms: PlanTerms): Promise<void> {
      await db.transaction(async (trx) => {
        const taken = await Plan.query(trx).whereRaw('lower(name) = lower(?)', [name]).first();
        if (taken) throw invalid({ name: [`There is a plan "${taken.name}" already; see "plans set".`] });
        await Plan.query(trx).insert({
          name,
          ...terms,
          features: '["Secure File Sharing"]',
          retired_at: null,
        });
        await audit.record(trx, { did: 'plans.add', subject: `plan:${name}`, detail: { ...terms } });
      });
    },

    /** Holds for what is bought from now on; nobody gets less than they paid for. A retired plan is sold again. */
    async set(name: string, terms: Partial<PlanTerms>): Promise<void> {
      await db.transaction(async (trx) => {
        const plan = await named(trx, name);
        await plan.$query(trx).patch({ ...terms, retired_at: null });
        await audit.record(trx, { did: 'plans.set', subject: `plan:${plan.name}`, detail: { ...terms } });
      });
    },

    /** No longer sold; who has it keeps it to its end. */
    async retire(name: string): Promise<void> {
      await db.transaction(async (trx) => {
        const plan = await named(trx, name);
        await plan.$query(trx).patch({ retired_at: clock().toISOString() });
        await audit.record(trx, { did: 'plans.retire', subject: `plan:${plan.name}` });
      });
    },

    /** Gives the firm of a user a plan for so many months, unpaid. @returns when it ends, ISO 8601. */
    async grant(email: string, planName: string, months: number): Promise<string> {
      return db.transaction(async (trx) => {
        const firm_id = await firmOf(trx, email);
        if (firm_id === undefined) throw notFound(`user "${email}"`);
        const plan = await named(trx, planName);
        const given = {
          firm_id,
          plan_id: plan.id,
          billing_cycle: months % 12 === 0 ? ('yearly' as const) : ('monthly' as const),
          amount_paise: 0,
          storage_gb: plan.storage_gb,
          max_users: plan.max_users,
          payment_id: null,
        };
        const { ends_at } = await periods.add(trx, given, months);
        await audit.record(trx, {
          firmId: given.firm_id,
          did: 'subscription.grant',
          subject: `plan:${plan.name}`,
          detail: { months, ends_at },
        });
        return ends_at;
      });
    },
  };
}
