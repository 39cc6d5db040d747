import type { Knex } from 'knex';
import type { Audit } from '#server/audit/service.ts';
import type { Actor } from '#server/actor.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import { conflict, forbidden } from '#server/http/errors.ts';
import type { Clock } from '../clock.ts';
import type { Limits, PlanView, SubscriptionStatus } from './contract.ts';
import { TRIAL_DAYS, displayOf, percentOf } from './contract.ts';
import { createAdministration } from './administration.ts';
import { createPeriods } from './periods.ts';
import { Plan } from './plans.ts';
import { mayBuy } from './policy.ts';
import type { History, Period, Entitlement } from './entitlement.ts';
import { entitlementOf } from './entitlement.ts';
import { queryRows } from '#server/db/sql.ts';

interface SubscriptionDependencies {
  db: Knex;
  clock: Clock;
  audit: Audit;
  /** Bytes of the firm's files that the actor sees. */
  used: (actor: Actor) => Promise<number>;
  /** The firm of the user with this e-mail address. */
  firmOf: (db: Knex, email: string) => Promise<number | undefined>;
}

/** The trial and the paid periods of a firm, in one statement because every upload needs them. */
async function historyOf(db: Knex, firmId: number): Promise<History> {
  const rows = await queryRows<History['periods'][number] & { trial_ends_at: string | null }>(
    db,
    `SELECT t.ends_at AS trial_ends_at, s.plan_id, p.name AS plan_name, s.amount_paise,
       CASE WHEN s.storage_gb > p.storage_gb THEN s.storage_gb ELSE p.storage_gb END AS storage_gb,
       CASE WHEN s.max_users > p.max_users THEN s.max_users ELSE p.max_users END AS max_users,
       s.billing_cycle, s.starts_at, s.ends_at
     FROM (SELECT CAST(? AS bigint) AS id) f LEFT JOIN trials t ON t.firm_id = f.id
       LEFT JOIN subscriptions s ON s.firm_id = f.id AND s.revoked_at IS NULL
       LEFT JOIN plans p ON p.id = s.plan_id ORDER BY s.id`,
    [firmId],
  );
  const trial_ends_at = rows[0]?.trial_ends_at ?? null;
  return { trial_ends_at, periods: rows.filter(({ plan_id }) => plan_id !== null) };
}

export const TRIAL_STARTED = `Free trial started successfully! Enjoy ${TRIAL_DAYS} days of premium features.`;
const DAY_MS = 24 * 60 * 60 * 1000;

export function createSubscription({ db, clock, audit, used, firmOf }: SubscriptionDependencies) {
  const periods = createPeriods({ clock });

  async function entitlement(db: Knex, firmId: number): Promise<Entitlement> {
    return entitlementOf(await historyOf(db, firmId), clock().toISOString());
  }

  /** The subscription of the actor's firm, with the badge for the top bar. */
  async function current(actor: Actor): Promise<SubscriptionStatus> {
    const { status, limits, trial_ends_at, period } = await entitlement(db, actor.firmId);
    const bytes = await used(actor);
    const withoutBadge = {
      is_trial: status === 'trial',
      status,
      trial_ends_at,
      user_limit: limits.users,
      storage_details: {
        used_bytes: bytes,
        limit_bytes: limits.bytes,
        used_formatted: formatBytes(bytes),
        limit_formatted: formatBytes(limits.bytes),
        percentage: percentOf(bytes, limits.bytes),
      },
      subscription: period && subscriptionOf(period),
    };
    return { ...withoutBadge, badge: displayOf(withoutBadge, clock()).badge };
  }

  return {
    /** The current limits of a firm, read in the given transaction or connection. */
    limits: async (db: Knex, firmId: number): Promise<Limits> => (await entitlement(db, firmId)).limits,
    /** The current limits of the actor's firm. */
    limitsOf: async (actor: Actor): Promise<Limits> => (await entitlement(db, actor.firmId)).limits,

    /** Plans on sale, cheapest first. */
    async plans(): Promise<PlanView[]> {
      const plans = await Plan.query(db).whereNull('retired_at').orderBy(['monthly_price', 'id']);
      return plans.map((plan) => plan.toView());
    },

    /** A plan on sale; null for another. */
    async planOnSale(id: number): Promise<PlanView | null> {
      const plan = await Plan.query(db).findById(id).whereNull('retired_at');
      return plan?.toView() ?? null;
    },

    current,
    /** The clock by which trials and plans end. */
    now: clock,
    /** For the operator's commands. */
    administration: createAdministration({ db, clock, audit, periods, firmOf }),
    /** Adds the paid period to the firm, in the transaction of the payment. */
    activate: periods.add,
    /** Revokes the period after a refund. */
    revoke: periods.revoke,

    /**
     * Starts the firm's only trial.
     * @throws {AppError} 403; 409 when it has had one, or has a plan.
     */
    async startTrial(actor: Actor): Promise<SubscriptionStatus> {
      if (!mayBuy(actor)) throw forbidden();
      const { firmId } = actor;
      await db.transaction(async (trx) => {
        if ((await entitlement(trx, firmId)).status === 'active')
          throw conflict('Your firm already has a plan.', 'has_plan');
        const now = clock();
        const ends_at = new Date(now.getTime() + TRIAL_DAYS * DAY_MS).toISOString();
        const trial = { firm_id: firmId, started_at: now.toISOString(), ends_at };
        const [row] = await trx('trials').insert(trial).onConflict('firm_id').ignore().returning('firm_id');
        if (!row) throw conflict('Your firm has already used its free trial.', 'trial_used');
        await audit.record(trx, { actor, did: 'subscription.trial', detail: { ends_at } });
      });
      return current(actor);
    },
  };
}
export type Subscription = ReturnType<typeof createSubscription>;

function subscriptionOf(period: Period): NonNullable<SubscriptionStatus['subscription']> {
  const { plan_id, plan_name, storage_gb, max_users, amount_paise, billing_cycle, ends_at } = period;
  return {
    plan_id,
    plan_name,
    storage_gb,
    max_users,
    amount_paid: amount_paise / 100,
    billing_cycle,
    ends_at,
  };
}
