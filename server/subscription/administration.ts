import type { Knex } from 'knex';
import type { Audit } from '#server/audit/service.ts';
import { invalid, notFound } from '#server/http/errors.ts';
import type { Clock } from '../clock.ts';
import type { Periods } from './periods.ts';
import { Plan } from './plans.ts';

/** The editable terms of a plan. Prices in whole rupees, GST included. */
export interface PlanTerms {
  monthly_price: number;
  yearly_price: number;
  storage_gb: number;
  max_users: number;
  is_popular: boolean;
}

/**
 * The operator's plan administration. Every change is audited. There is no actor: whoever operates the server may do
 * this.
 */
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
  async function findByName(trx: Knex.Transaction, name: string): Promise<Plan> {
    const plan = await Plan.query(trx).whereRaw('lower(name) = lower(?)', [name]).first();
    if (!plan) throw notFound(`plan "${name}"`);
    return plan;
  }

  return {
    list: async (): Promise<Plan[]> => Plan.query(db).orderBy(['retired_at', 'monthly_price', 'id']),

    async add(name: string, terms: PlanTerms): Promise<void> {
      await db.transaction(async (trx) => {
        const existing = await Plan.query(trx).whereRaw('lower(name) = lower(?)', [name]).first();
        if (existing)
          throw invalid({
            name: [`There is a plan "${existing.name}" already; see "plans set" and "plans sell".`],
          });
        await Plan.query(trx).insert({
          name,
          ...terms,
          features: '["Secure File Sharing"]',
          retired_at: null,
        });
        await audit.record(trx, { did: 'plans.add', subject: `plan:${name}`, detail: { ...terms } });
      });
    },

    /** Applies to future purchases; existing subscriptions never shrink. A retired plan stays retired. */
    async set(name: string, terms: Partial<PlanTerms>): Promise<void> {
      await db.transaction(async (trx) => {
        const plan = await findByName(trx, name);
        await plan.$query(trx).patch(terms);
        await audit.record(trx, { did: 'plans.set', subject: `plan:${plan.name}`, detail: { ...terms } });
      });
    },

    /** Takes the plan off sale; existing subscriptions run to their end. */
    async retire(name: string): Promise<void> {
      await db.transaction(async (trx) => {
        const plan = await findByName(trx, name);
        await plan.$query(trx).patch({ retired_at: clock().toISOString() });
        await audit.record(trx, { did: 'plans.retire', subject: `plan:${plan.name}` });
      });
    },

    /** Puts a retired plan on sale again, as it is. */
    async sell(name: string): Promise<void> {
      await db.transaction(async (trx) => {
        const plan = await findByName(trx, name);
        await plan.$query(trx).patch({ retired_at: null });
        await audit.record(trx, { did: 'plans.sell', subject: `plan:${plan.name}` });
      });
    },

    /** Grants the firm of a user a plan for a number of months, unpaid. @returns the end, ISO 8601. */
    async grant(email: string, planName: string, months: number): Promise<string> {
      return db.transaction(async (trx) => {
        const firm_id = await firmOf(trx, email);
        if (firm_id === undefined) throw notFound(`user "${email}"`);
        const plan = await findByName(trx, planName);
        const period = {
          firm_id,
          plan_id: plan.id,
          billing_cycle: months % 12 === 0 ? ('yearly' as const) : ('monthly' as const),
          amount_paise: 0,
          storage_gb: plan.storage_gb,
          max_users: plan.max_users,
          payment_id: null,
        };
        const { ends_at } = await periods.add(trx, period, months);
        await audit.record(trx, {
          firmId: period.firm_id,
          did: 'subscription.grant',
          subject: `plan:${plan.name}`,
          detail: { months, ends_at },
        });
        return ends_at;
      });
    },
  };
}
