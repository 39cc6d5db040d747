import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { conflict, forbidden, invalid, notFound } from '#server/http/errors.ts';
import type { Invitation, InvitationView, Invited } from './contract.ts';
import { INVITATION_DAYS, ROLE_NAMES } from './contract.ts';
import { invitationEmail, joinLink, takenEmail } from './emails.ts';
import { InvitationRow, withInviter } from './model.ts';
import type { TeamDependencies } from './dependencies.ts';
import { mayGiveRole, mayManage } from './policy.ts';
import type { SeatCount } from './seats.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Limits e-mails to strangers: enough for a firm of hundreds in a day, too few for a spammer. */
const INVITATION_LIMIT = { name: 'team_invite', tries: 200, seconds: 24 * 60 * 60 };

/** Addresses that an error message lists. */
const MAX_LISTED = 5;
const listed = (all: readonly string[]): string =>
  all.slice(0, MAX_LISTED).join(', ') +
  (all.length > MAX_LISTED ? ` and ${all.length - MAX_LISTED} more` : '');

export function createInvitations(
  dependencies: Omit<TeamDependencies, 'endWork' | 'usersAllowed'> & { seats: SeatCount },
) {
  const { db, clock, audit, limits, mail, auth, seats, settings } = dependencies;

  const requireManage = (actor: Actor) => {
    if (!mayManage(actor)) throw forbidden();
  };

  async function findOwn(db: Knex, actor: Actor, id: number): Promise<InvitationRow> {
    const row = await InvitationRow.query(db).findOne({ id, firm_id: actor.firmId });
    if (!row) throw notFound('invitation');
    return row;
  }

  /** @throws {AppError} 422 on `emails` for addresses that belong to a user or an invitation of the firm. */
  async function refuseExisting(
    trx: Knex.Transaction,
    actor: Actor,
    emails: readonly string[],
  ): Promise<void> {
    const existing: { id: number; email: string; deactivated_at: string | null }[] = await trx('users')
      .where({ firm_id: actor.firmId })
      .whereIn('email', emails)
      .select('id', 'email', 'deactivated_at');
    const invited: string[] = await trx('invitations')
      .where({ firm_id: actor.firmId })
      .whereIn('email', emails)
      .pluck('email');
    const listEmails = (them: typeof existing) => listed(them.map(({ email }) => email));
    const deactivated = existing.filter(({ deactivated_at }) => deactivated_at !== null);
    const others = existing.filter(
      ({ id, deactivated_at }) => deactivated_at === null && id !== actor.userId,
    );
    const messages = [
      existing.some(({ id }) => id === actor.userId) && 'This is your own address.',
      others.length > 0 && `Already in your firm: ${listEmails(others)}.`,
      deactivated.length > 0 && `Deactivated, so reactivate instead of inviting: ${listEmails(deactivated)}.`,
      invited.length > 0 && `Already invited: ${listed(invited)}. Use "Send again" beside the name.`,
    ].filter((text) => text !== false);
    if (messages.length > 0) throw invalid({ emails: messages });
  }

  /** The requested clients and groups, as columns of the invitation. @throws {AppError} 422 on `client_ids`, `groups`. */
  async function assignedClients(
    trx: Knex.Transaction,
    actor: Actor,
    { client_scope, client_ids, groups }: Invitation,
  ) {
    if (client_scope === 'all') return { clients: '[]', client_groups: '[]' };
    const inFirm = { firm_id: actor.firmId };
    const known: number[] = await trx('clients').where(inFirm).whereIn('id', client_ids).pluck('id');
    if (known.length < client_ids.length)
      throw invalid({ client_ids: ['Some of these clients do not exist any more. Choose again.'] });
    const knownGroups: string[] = await trx('clients')
      .where(inFirm)
      .whereIn('group_name', groups)
      .distinct('group_name')
      .pluck('group_name');
    if (knownGroups.length < groups.length)
      throw invalid({ groups: ['Some of these groups do not exist any more. Choose again.'] });
    return { clients: JSON.stringify(known), client_groups: JSON.stringify(knownGroups) };
  }

  /** Checks the request. @returns the clients and groups as columns of the invitation. */
  async function checkedClients(trx: Knex.Transaction, actor: Actor, request: Invitation) {
    await seats.lock(trx, actor.firmId);
    await refuseExisting(trx, actor, request.emails);
    await seats.require(trx, actor.firmId, request.emails.length);
    return assignedClients(trx, actor, request);
  }

  /** Sends a new link by e-mail; an older link becomes invalid. */
  async function send(
    trx: Knex.Transaction,
    actor: Actor,
    to: { email: string; token: string; expiresAt: Date },
  ): Promise<void> {
    const names = await trx('users')
      .join('firms', 'firms.id', 'users.firm_id')
      .where('users.id', actor.userId)
      .first('users.name as inviter', 'firms.name as firm');
    const elsewhere = await trx('users').where({ email: to.email }).first('id');
    const template = elsewhere ? takenEmail : invitationEmail;
    await mail.send(trx, template({ ...to, ...names, firmId: actor.firmId, ...settings }));
  }

  const createLink = () => ({
    ...auth.newUsers.secret(),
    expiresAt: new Date(clock().getTime() + INVITATION_DAYS * DAY_MS),
  });

  /** Adds the link to a response when the server sends no e-mail. */
  const linkWithoutMail = (token: string): { link?: string } =>
    mail.sends ? {} : { link: joinLink(settings.baseUrl, token) };

  async function list(firmId: number): Promise<InvitationView[]> {
    const rows = await withInviter(db).where('invitations.firm_id', firmId).orderBy('invitations.id', 'desc');
    return rows.map((row) => row.toView(clock()));
  }

  return {
    /** All invitations, newest first, including expired ones. */
    list,

    /**
     * Invites all of the addresses or none. An address of a user of another firm is invited like any other, and only
     * its mailbox learns that it cannot accept: inviting does not reveal who has an account.
     * @throws {AppError} 403; 422 on `emails`, `client_ids`, `groups`; 422 `user_limit`; 429.
     */
    async invite(actor: Actor, request: Invitation): Promise<Invited[]> {
      requireManage(actor);
      const { emails, role, client_scope } = request;
      if (!mayGiveRole(actor, role)) throw forbidden('You cannot give a role above your own.');
      await db.transaction((trx) => checkedClients(trx, actor, request));
      // Only valid requests count against the limit.
      for (const _ of emails) await limits.check({ limit: INVITATION_LIMIT, subject: String(actor.firmId) });
      const tokens = new Map<string, string>();
      await db.transaction(async (trx) => {
        // Checked again: somebody else may have invited in the meantime.
        const clients = await checkedClients(trx, actor, request);
        for (const email of emails) {
          const { token, hash, expiresAt } = createLink();
          const now = clock().toISOString();
          const row = await InvitationRow.query(trx).insert({
            firm_id: actor.firmId,
            email,
            role,
            client_scope,
            ...clients,
            token_hash: hash,
            invited_by: actor.userId,
            sent_at: now,
            expires_at: expiresAt.toISOString(),
          });
          tokens.set(email, token);
          await send(trx, actor, { email, token, expiresAt });
          await audit.record(trx, {
            actor,
            did: 'team.invite',
            subject: `invitation:${row.id}`,
            detail: { name: email, role: ROLE_NAMES[role], clients: client_scope },
          });
        }
      });
      const invitations = await list(actor.firmId);
      return invitations.flatMap((invitation) => {
        const token = tokens.get(invitation.email);
        return token ? [{ ...invitation, ...linkWithoutMail(token) }] : [];
      });
    },

    /** @throws {AppError} 403, 404. */
    async invitesAdmin(actor: Actor, id: number): Promise<boolean> {
      requireManage(actor);
      return (await findOwn(db, actor, id)).role === 'admin';
    },

    /** Sends a new link that is valid for seven days, in the name of the actor. @throws {AppError} 403, 404, 422 `user_limit`, 429. */
    async sendAgain(actor: Actor, id: number): Promise<Pick<Invited, 'link'>> {
      requireManage(actor);
      const before = await findOwn(db, actor, id);
      if (!mayGiveRole(actor, before.role)) throw forbidden('You cannot give a role above your own.');
      await limits.check({ limit: INVITATION_LIMIT, subject: String(actor.firmId) });
      return db.transaction(async (trx) => {
        await seats.lock(trx, actor.firmId);
        const row = await findOwn(trx, actor, id);
        // An expired invitation has released its seat, so renewing it needs a free one.
        if (row.expires_at <= clock().toISOString()) await seats.require(trx, actor.firmId, 1);
        const { token, hash, expiresAt } = createLink();
        await row.$query(trx).patch({
          token_hash: hash,
          // From now on it is valid as long as this user may invite.
          invited_by: actor.userId,
          sent_at: clock().toISOString(),
          expires_at: expiresAt.toISOString(),
        });
        await send(trx, actor, { email: row.email, token, expiresAt });
        const subject = `invitation:${id}`;
        await audit.record(trx, { actor, did: 'team.invite_again', subject, detail: { name: row.email } });
        return linkWithoutMail(token);
      });
    },

    /** Deletes the invitation, so that its link becomes invalid. @throws {AppError} 403, 404, 409. */
    revoke: async (actor: Actor, id: number): Promise<void> => {
      requireManage(actor);
      await db.transaction(async (trx) => {
        const row = await findOwn(trx, actor, id);
        // The person may have joined in the meantime.
        if ((await row.$query(trx).delete()) === 0) throw conflict('This invitation was accepted just now.');
        const subject = `invitation:${id}`;
        await audit.record(trx, { actor, did: 'team.revoke', subject, detail: { name: row.email } });
      });
    },
  };
}
