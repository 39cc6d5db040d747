import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { conflict, forbidden, invalid, notFound } from '#server/http/errors.ts';
import { ROLE_NAMES } from './contract.ts';
import type { Invitation, InvitationView, Invited } from './contract.ts';
import { INVITATION_DAYS } from './contract.ts';
import { invitationEmail, joinLink, takenEmail } from './emails.ts';
import { InvitationRow } from './model.ts';
import type { TeamParts } from './parts.ts';
import { mayGiveRole, mayManage } from './policy.ts';
import type { SeatCount } from './seats.ts';

const DAY = 24 * 60 * 60_000;
/** E-mails to strangers: what a firm of hundreds needs in a day, and no spammer. */
const INVITES = { name: 'team_invite', tries: 200, seconds: 24 * 60 * 60 };

/** How many addresses are named in a refusal. */
const NAMED = 5;
const listed = (all: readonly string[]): string =>
  all.slice(0, NAMED).join(', ') + (all.length > NAMED ? ` and ${all.length - NAMED} more` : '');

export function createInvitations(use: Omit<TeamParts, 'endWork' | 'usersAllowed'> & { seats: SeatCount }) {
  const { db, clock, audit, limits, mail, auth, seats, settings } = use;

  const demand = (actor: Actor) => {
    if (!mayManage(actor)) throw forbidden();
  };

  async function own(db: Knex, actor: Actor, id: number): Promise<InvitationRow> {
    const row = await InvitationRow.query(db).findOne({ id, firm_id: actor.firmId });
    if (!row) throw notFound('invitation');
    return row;
  }

  /** @throws {AppError} 422 on `emails` for those who are here already. */
  async function refuseKnown(trx: Knex.Transaction, actor: Actor, emails: readonly string[]): Promise<void> {
    const here: { id: number; email: string; deactivated_at: string | null }[] = await trx('users')
      .where({ firm_id: actor.firmId })
      .whereIn('email', emails)
      .select('id', 'email', 'deactivated_at');
    const invited: string[] = await trx('invitations')
      .where({ firm_id: actor.firmId })
      .whereIn('email', emails)
      .pluck('email');
    const of = (them: typeof here) => listed(them.map(({ email }) => email));
    const left = here.filter(({ deactivated_at }) => deactivated_at !== null);
    const others = here.filter(({ id, deactivated_at }) => deactivated_at === null && id !== actor.userId);
    const told = [
      here.some(({ id }) => id === actor.userId) && 'This is your own address.',
      others.length > 0 && `Already in your firm: ${of(others)}.`,
      left.length > 0 && `Deactivated, so reactivate instead of inviting: ${of(left)}.`,
      invited.length > 0 && `Already invited: ${listed(invited)}. Use "Send again" beside the name.`,
    ].filter((text) => text !== false);
    if (told.length > 0) throw invalid({ emails: told });
  }

  /** Those of these clients and groups that the firm has. @throws {AppError} 422 on `client_ids`. */
  async function assigned(
    trx: Knex.Transaction,
    actor: Actor,
    { client_scope, client_ids, groups }: Invitation,
  ) {
    if (client_scope === 'all') return { clients: '[]', client_groups: '[]' };
    const of = { firm_id: actor.firmId };
    const known: number[] = await trx('clients').where(of).whereIn('id', client_ids).pluck('id');
    if (known.length < client_ids.length)
      throw invalid({ client_ids: ['Some of these clients do not exist any more. Choose again.'] });
    const named: string[] = await trx('clients')
      .where(of)
      .whereIn('group_name', groups)
      .distinct('group_name')
      .pluck('group_name');
    if (named.length < groups.length)
      throw invalid({ groups: ['Some of these groups do not exist any more. Choose again.'] });
    return { clients: JSON.stringify(known), client_groups: JSON.stringify(named) };
  }

  /** The clients and groups of an invitation, once all of it is known to be possible. */
  async function checked(trx: Knex.Transaction, actor: Actor, request: Invitation) {
    await seats.inTurn(trx, actor.firmId);
    await refuseKnown(trx, actor, request.emails);
    await seats.demand(trx, actor.firmId, request.emails.length);
    return assigned(trx, actor, request);
  }

  /** A new link by e-mail, which makes an older one worthless. */
  async function send(
    trx: Knex.Transaction,
    actor: Actor,
    to: { email: string; token: string; expiresAt: Date },
  ): Promise<void> {
    const of = await trx('users')
      .join('firms', 'firms.id', 'users.firm_id')
      .where('users.id', actor.userId)
      .first('users.name as inviter', 'firms.name as firm');
    const elsewhere = await trx('users').where({ email: to.email }).first('id');
    const write = elsewhere ? takenEmail : invitationEmail;
    await mail.send(trx, write({ ...to, ...of, firmId: actor.firmId, ...settings }));
  }

  const newLink = () => ({
    ...auth.newUsers.secret(),
    expiresAt: new Date(clock().getTime() + INVITATION_DAYS * DAY),
  });

  /** What an answer has beside the invitation where no e-mail brings the link. */
  const byHand = (token: string): { link?: string } =>
    mail.sends ? {} : { link: joinLink(settings.baseUrl, token) };

  async function list(firmId: number): Promise<InvitationView[]> {
    const rows = await InvitationRow.query(db)
      .join('users', 'users.id', 'invitations.invited_by')
      .where('invitations.firm_id', firmId)
      .select('invitations.*', 'users.name as inviter')
      .orderBy('invitations.id', 'desc');
    return rows.map((row) => row.toView(clock()));
  }

  return {
    /** The newest first, those that have run out among them. */
    list,

    /**
     * Invites all of the addresses or none. An address that belongs to a user of another firm is invited like any other,
     * and only its mailbox is told that it cannot accept: nobody finds out by inviting who has an account.
     * @throws {AppError} 403; 422 on `emails`, `client_ids`, `groups`; 422 `user_limit`; 429.
     */
    async invite(actor: Actor, request: Invitation): Promise<Invited[]> {
      demand(actor);
      const { emails, role, client_scope } = request;
      if (!mayGiveRole(actor, role)) throw forbidden('You cannot give a role above your own.');
      await db.transaction((trx) => checked(trx, actor, request));
      // Only what could be sent counts against the limit.
      for (const _ of emails) await limits.check({ limit: INVITES, subject: String(actor.firmId) });
      const tokens = new Map<string, string>();
      await db.transaction(async (trx) => {
        // Asked again, for somebody else may have invited meanwhile.
        const clients = await checked(trx, actor, request);
        for (const email of emails) {
          const { token, hash, expiresAt } = newLink();
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
      const open = await list(actor.firmId);
      return open.flatMap((one) => {
        const token = tokens.get(one.email);
        return token ? [{ ...one, ...byHand(token) }] : [];
      });
    },

    /** A new link for seven more days. @throws {AppError} 403, 404, 422 `user_limit`, 429. */
    async sendAgain(actor: Actor, id: number): Promise<Pick<Invited, 'link'>> {
      demand(actor);
      await own(db, actor, id);
      await limits.check({ limit: INVITES, subject: String(actor.firmId) });
      return db.transaction(async (trx) => {
        await seats.inTurn(trx, actor.firmId);
        const row = await own(trx, actor, id);
        // An invitation that has run out has given its seat back, so a new one needs a seat again.
        if (row.expires_at <= clock().toISOString()) await seats.demand(trx, actor.firmId, 1);
        const { token, hash, expiresAt } = newLink();
        await row.$query(trx).patch({
          token_hash: hash,
          sent_at: clock().toISOString(),
          expires_at: expiresAt.toISOString(),
        });
        await send(trx, actor, { email: row.email, token, expiresAt });
        const subject = `invitation:${id}`;
        await audit.record(trx, { actor, did: 'team.invite_again', subject, detail: { name: row.email } });
        return byHand(token);
      });
    },

    /** The link opens nothing any more. @throws {AppError} 403, 404. */
    revoke: async (actor: Actor, id: number): Promise<void> => {
      demand(actor);
      await db.transaction(async (trx) => {
        const row = await own(trx, actor, id);
        // It may have been accepted just now.
        if ((await row.$query(trx).delete()) === 0) throw conflict('This invitation was accepted just now.');
        const subject = `invitation:${id}`;
        await audit.record(trx, { actor, did: 'team.revoke', subject, detail: { name: row.email } });
      });
    },
  };
}
