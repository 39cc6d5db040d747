import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { dayInIndia, startOfDayInIndia } from '#server/text/day-in-india.ts';
import { conflict, forbidden, invalid, notFound } from '#server/http/errors.ts';
import { requireProof } from '#server/http/recent-proof.ts';
import type { Deactivation, PersonChange } from './contract.ts';
import { deactivatedEmail, reactivatedEmail, roleEmail } from './emails.ts';
import { endInvitations } from './model.ts';
import { readNetworks } from './networks.ts';
import type { TeamDependencies } from './dependencies.ts';
import type { PersonRow } from './people.ts';
import { changedColumns, differences } from './people.ts';
import { mayGive, mayGiveRole, mayManage } from './policy.ts';
import type { SeatCount } from './seats.ts';

/** Items per transaction, so that others can write in between. */
const HAND_OVER_BATCH = 2000;

const NO_ADMIN = 'Your firm needs at least one admin. Make somebody else an admin first.';
const ALL_LIMITED =
  'At least one admin must be able to work at any time and from anywhere, or your firm could lock itself out.';

export function createMembers(
  dependencies: Omit<TeamDependencies, 'limits' | 'usersAllowed'> & { seats: SeatCount },
) {
  const { db, clock, audit, mail, auth, seats, endWork, settings } = dependencies;

  async function findMember(db: Knex, actor: Actor, id: number): Promise<PersonRow> {
    const row: PersonRow | undefined = await db('users').where({ id, firm_id: actor.firmId }).first();
    if (!row) throw notFound('person');
    if (!mayGiveRole(actor, row.role))
      throw forbidden('You cannot change somebody with a role above your own.');
    return row;
  }
  const requireManage = (actor: Actor) => {
    if (!mayManage(actor)) throw forbidden();
  };

  /**
   * Checks that an admin without restrictions remains. Of two admins who demote each other at the same time, one
   * stays.
   * @throws {AppError} 409 `last_admin`.
   */
  async function requireUnlimitedAdmin(trx: Knex.Transaction, firm_id: number): Promise<void> {
    const admins: PersonRow[] = await trx('users').where({ firm_id, role: 'admin', deactivated_at: null });
    if (admins.length === 0) throw conflict(NO_ADMIN, 'last_admin');
    const hasUnlimited = admins.some(({ work_hours, networks }) => work_hours === null && networks === '[]');
    if (!hasUnlimited) throw conflict(ALL_LIMITED, 'last_admin');
  }

  const auditFields = ({ id, name }: PersonRow) => ({ subject: `user:${id}`, detail: { name } });

  async function endOwnInvitations(trx: Knex.Transaction, actor: Actor, inviter: PersonRow): Promise<void> {
    for (const { id, email } of await endInvitations(trx, inviter, clock()))
      await audit.record(trx, {
        actor,
        did: 'team.revoke',
        subject: `invitation:${id}`,
        detail: { name: email, invited_by: inviter.name },
      });
  }

  async function tell(
    trx: Knex.Transaction,
    { firmId }: Actor,
    row: PersonRow,
    template: typeof deactivatedEmail,
  ): Promise<void> {
    const firm = await trx('firms').where({ id: firmId }).first('name');
    await mail.send(trx, template({ ...row, firm: firm.name, firmId, ...settings }));
  }

  async function deactivateRow(trx: Knex.Transaction, actor: Actor, row: PersonRow): Promise<void> {
    const now = clock().toISOString();
    await trx('users').where({ id: row.id }).update({ deactivated_at: now, updated_at: now });
    await requireUnlimitedAdmin(trx, actor.firmId);
    const ended_sessions = await auth.endAccess(trx, row.id);
    const { subject, detail } = auditFields(row);
    await audit.record(trx, {
      actor,
      did: 'team.deactivate',
      subject,
      detail: { ...detail, ended_sessions },
    });
    await endOwnInvitations(trx, actor, { ...row, deactivated_at: now });
    await tell(trx, actor, row, deactivatedEmail);
  }

  /** Ends running work of a deactivated user. */
  async function endAllWork(userId: number): Promise<void> {
    endWork.connections(userId);
    await endWork.uploads(userId);
    await endWork.jobs(userId);
  }

  async function handOver(actor: Actor, row: PersonRow, heirId: number): Promise<number> {
    const heir: PersonRow | undefined = await db('users')
      .where({ id: heirId, firm_id: actor.firmId, deactivated_at: null })
      .whereNot({ id: row.id })
      .first();
    if (!heir) throw invalid({ heir: ['Choose a colleague from the list'] });
    let items = 0;
    for (let moved = HAND_OVER_BATCH; moved === HAND_OVER_BATCH; items += moved) {
      moved = await db.transaction((trx) =>
        trx('item_rows')
          .whereIn('id', trx('item_rows').where({ owner_id: row.id }).select('id').limit(HAND_OVER_BATCH))
          .update({ owner_id: heir.id }),
      );
    }
    const { subject, detail } = auditFields(row);
    await audit.recordAlone({
      actor,
      did: 'team.hand_over',
      subject,
      detail: { ...detail, heir: heir.name, items },
    });
    return items;
  }

  return {
    /**
     * Takes effect with the user's next request.
     * @throws {AppError} 403 for more than the actor has; 404; 409 `last_admin`; 422.
     */
    async change(actor: Actor, id: number, request: PersonChange): Promise<void> {
      requireManage(actor);
      const change = request.networks ? { ...request, networks: readNetworks(request.networks) } : request;
      await db.transaction(async (trx) => {
        await seats.lock(trx, actor.firmId);
        const row = await findMember(trx, actor, id);
        if (change.role && !mayGiveRole(actor, change.role))
          throw forbidden('You cannot give a role above your own.');
        if (change.given?.some((permission) => !mayGive(actor, permission)))
          throw forbidden('You cannot give a permission that you do not have.');
        const [before, after] = [changedColumns(row, {}), changedColumns(row, change)];
        const changes = differences(before, after);
        if (changes.length === 0) return;
        await trx('users')
          .where({ id })
          .update({ ...after, updated_at: clock().toISOString() });
        await requireUnlimitedAdmin(trx, actor.firmId);
        const { subject, detail } = auditFields(row);
        await audit.record(trx, { actor, did: 'team.change', subject, detail: { ...detail, changes } });
        if (change.role) await endOwnInvitations(trx, actor, { ...row, role: change.role });
        // Not whoever changes their own, nor somebody who cannot sign in.
        if (change.role && change.role !== row.role && id !== actor.userId && row.deactivated_at === null)
          await tell(trx, actor, row, roleEmail(row.role, change.role));
      });
    },

    /**
     * Ends all access of the user immediately; the name stays in the history. An heir becomes the owner of the user's
     * items.
     * @returns the number of items handed over.
     * @throws {AppError} 403; 404; 409 for oneself, the last admin, or a deactivated user; 422 on `heir`.
     */
    async deactivate(actor: Actor, id: number, { heir }: Deactivation): Promise<number> {
      requireManage(actor);
      if (id === actor.userId)
        throw conflict('You cannot deactivate yourself. Ask another admin of your firm.', 'own_account');
      if (heir === id) throw invalid({ heir: ['Choose a colleague from the list'] });
      const row = await db.transaction(async (trx) => {
        await seats.lock(trx, actor.firmId);
        const leaving = await findMember(trx, actor, id);
        if (leaving.deactivated_at !== null)
          throw conflict(`${leaving.name} is deactivated already.`, 'deactivated');
        if (heir !== null) {
          const validHeir = await trx('users')
            .where({ id: heir, firm_id: actor.firmId, deactivated_at: null })
            .first('id');
          if (!validHeir) throw invalid({ heir: ['Choose a colleague from the list'] });
        }
        await deactivateRow(trx, actor, leaving);
        return leaving;
      });
      await endAllWork(id);
      return heir === null ? 0 : handOver(actor, row, heir);
    },

    /**
     * Makes the heir the owner of a deactivated user's items. @returns their number. @throws {AppError} 403, 404,
     * 409, 422.
     */
    async handOver(actor: Actor, id: number, heir: number | null): Promise<number> {
      requireManage(actor);
      const row = await findMember(db, actor, id);
      if (row.deactivated_at === null)
        throw conflict(`${row.name} still works here. Deactivate first, then hand over.`, 'active');
      if (heir === null) throw invalid({ heir: ['Choose a colleague from the list'] });
      return handOver(actor, row, heir);
    },

    /**
     * Restores access with the previous role, clients and password. @throws {AppError} 403, also `proof_needed` for an admin; 404; 409; 422
     * `user_limit`.
     */
    async reactivate(actor: Actor, id: number): Promise<void> {
      requireManage(actor);
      await db.transaction(async (trx) => {
        await seats.lock(trx, actor.firmId);
        const row = await findMember(trx, actor, id);
        if (row.deactivated_at === null) throw conflict(`${row.name} is active already.`, 'active');
        // As to make somebody an admin.
        if (row.role === 'admin') requireProof(actor);
        await seats.require(trx, actor.firmId, 1);
        await trx('users').where({ id }).update({ deactivated_at: null, updated_at: clock().toISOString() });
        await audit.record(trx, { actor, did: 'team.reactivate', ...auditFields(row) });
        await tell(trx, actor, row, reactivatedEmail);
      });
    },

    /**
     * Deactivates everybody else when the firm has more users than the plan allows.
     * @throws {AppError} 403; 404 for an unknown user; 409 `last_admin`; 422 on `ids`.
     */
    async keepOnly(actor: Actor, ids: readonly number[]): Promise<void> {
      requireManage(actor);
      const deactivated = await db.transaction(async (trx) => {
        await seats.lock(trx, actor.firmId);
        const active: PersonRow[] = await trx('users').where({ firm_id: actor.firmId, deactivated_at: null });
        const { allowed } = await seats.count(trx, actor.firmId);
        if (ids.some((id) => !active.some((person) => person.id === id))) throw notFound('person');
        if (!ids.includes(actor.userId)) throw invalid({ ids: ['You are one of those who stay.'] });
        if (ids.length > allowed) {
          const people = allowed === 1 ? '1 person' : `${allowed} people`;
          throw invalid({ ids: [`Your plan allows ${people}; you chose ${ids.length}.`] });
        }
        const leaving = active.filter(({ id }) => !ids.includes(id));
        for (const row of leaving) await deactivateRow(trx, actor, await findMember(trx, actor, row.id));
        return leaving;
      });
      for (const { id } of deactivated) await endAllWork(id);
    },

    /**
     * Requires two-step sign-in of everybody from a date in India, or immediately without one; `required: false`
     * lifts the requirement. One that is in force stays so: only lifting it ends it.
     * @throws {AppError} 403, also `proof_needed` to postpone it; 409 while the actor has no second step; 422 on `from` in the past or more than a year
     * ahead.
     */
    async requireTwoStep(actor: Actor, required: boolean, from: string | null = null): Promise<void> {
      requireManage(actor);
      const now = clock();
      const today = dayInIndia(now);
      const latest = dayInIndia(new Date(now.getTime() + 366 * 24 * 60 * 60_000));
      if (from !== null && (from < today || from > latest))
        throw invalid({ from: ['Choose a day from today on, within a year'] });
      const takesEffectAt = from === null || from === today ? now.toISOString() : startOfDayInIndia(from);
      await db.transaction(async (trx) => {
        if (required && (await auth.twoStep.ways(trx, actor.userId)).length === 0)
          throw conflict('Turn on two-step sign-in for yourself first, under Settings.', 'two_step_off');
        const firm = await trx('firms').where({ id: actor.firmId }).first('two_step_required_at');
        const before: string | null = firm.two_step_required_at;
        const inForce = before !== null && before <= now.toISOString();
        if (required ? inForce || before === takesEffectAt : before === null) return;
        // As to lift it.
        if (required && before !== null && takesEffectAt > before) requireProof(actor);
        await trx('firms')
          .where({ id: actor.firmId })
          .update({ two_step_required_at: required ? takesEffectAt : null });
        const did = required ? 'team.two_step_required' : 'team.two_step_free';
        await audit.record(trx, { actor, did, ...(required && { detail: { from: from ?? today } }) });
      });
    },
  };
}
