import type { Knex } from 'knex';
import type { SignInResult } from '#server/auth/service.ts';
import { networkOf } from '#server/http/network.ts';
import type { Origin } from '#server/http/context.ts';
import { AppError, conflict, invalid } from '#server/http/errors.ts';
import { BOUND_IDS, execute, bindList } from '#server/db/sql.ts';
import { ROLE_NAMES } from './contract.ts';
import type { Joining } from '#server/auth/contract.ts';
import type { JoinView } from './contract.ts';
import { InvitationRow, withInviter } from './model.ts';
import type { TeamDependencies } from './dependencies.ts';
import type { SeatCount } from './seats.ts';

/** Invalid links per network. */
const INVALID_LINK_LIMIT = { name: 'team_link', tries: 60, seconds: 60 * 60 };

const expired = () =>
  invalid(
    {
      token: [
        'This invitation is no longer valid. It works once, for seven days, and only the newest one works. Ask for a new one.',
      ],
    },
    'invitation_over',
  );
const addressTaken = () =>
  conflict(
    'This e-mail address already belongs to an account of another firm. Ask to be invited under another address.',
    'address_taken',
  );

export function createJoining(
  dependencies: Omit<TeamDependencies, 'endWork' | 'mail'> & { seats: SeatCount },
) {
  const { db, clock, audit, limits, auth, seats } = dependencies;

  /** The invitation of a valid link, with the names that its holder may see. */
  async function findValid(db: Knex, token: string) {
    const row = (await withInviter(db)
      .join('firms', 'firms.id', 'invitations.firm_id')
      .where('invitations.token_hash', auth.newUsers.fingerprint(token))
      .select('firms.name as firm', 'firms.two_step_required_at')
      .first()) as (InvitationRow & { firm: string; two_step_required_at: string | null }) | undefined;
    return row?.isOpen(clock()) ? row : undefined;
  }

  async function findLimited(token: string, { ip }: Origin) {
    const row = await findValid(db, token);
    // Only failures count: a valid link works although its network is at the limit.
    if (!row) await limits.check({ limit: INVALID_LINK_LIMIT, subject: networkOf(ip) });
    return row;
  }

  const isTaken = async (db: Knex, email: string): Promise<boolean> =>
    (await db('users').where({ email }).first('id')) !== undefined;

  async function assign(trx: Knex.Transaction, user_id: number, row: InvitationRow): Promise<void> {
    // Skips clients that were deleted since the invitation.
    await execute(
      trx,
      `INSERT INTO user_clients (user_id, client_id)
       SELECT ?, id FROM clients WHERE firm_id = ? AND id IN (${BOUND_IDS})`,
      [user_id, row.firm_id, bindList(row.clientIds)],
    );
    const groups = row.groups.map((group_name) => ({ user_id, firm_id: row.firm_id, group_name }));
    if (groups.length > 0) await trx('user_client_groups').insert(groups);
  }

  return {
    /** What the holder of a link sees. @throws {AppError} 429. */
    async invitation(token: string, origin: Origin): Promise<JoinView> {
      const row = await findLimited(token, origin);
      if (!row) return { state: 'over' };
      const { email, firm, inviter: invited_by } = row;
      if (await isTaken(db, email)) return { state: 'taken', firm, email, invited_by };
      const { people, allowed } = await seats.count(db, row.firm_id);
      if (people >= allowed) return { state: 'full', firm, invited_by };
      const from = row.two_step_required_at;
      const two_step_required = from !== null && from <= clock().toISOString();
      return { state: 'open', firm, email, invited_by, two_step_required };
    },

    /**
     * Creates the user and signs them in.
     * @throws {AppError} 422 `invitation_over` on `token`, on `password`; 409 `address_taken`, `firm_full`; 429.
     */
    async join({ token, name, password }: Joining, origin: Origin): Promise<SignInResult> {
      const invitation = await findLimited(token, origin);
      if (!invitation) throw expired();
      const { email, firm: firm_name } = invitation;
      const password_hash = await auth.newUsers.hash(password, { name, email, firm_name });
      return db.transaction(async (trx) => {
        await seats.lock(trx, invitation.firm_id);
        const row = await findValid(trx, token);
        // Of concurrent requests only one deletes the row.
        if (!row || (await InvitationRow.query(trx).deleteById(row.id)) === 0) throw expired();
        if (await isTaken(trx, row.email)) throw addressTaken();
        await seats.require(trx, row.firm_id, 1, { invited: false }).catch((error: unknown) => {
          if (!(error instanceof AppError)) throw error;
          const message = `The plan of ${row.firm} has no seat left. Ask ${row.inviter}; your invitation stays valid.`;
          throw conflict(message, 'firm_full');
        });
        const { firm_id, role, client_scope } = row;
        const entry = await auth.newUsers.add(
          trx,
          { firm_id, name, email: row.email, role, client_scope, password_hash },
          { origin, prepare: (user_id) => assign(trx, user_id, row) },
        );
        await audit.record(trx, {
          firmId: firm_id,
          userId: entry.user.id,
          ip: origin.ip,
          did: 'team.join',
          subject: `user:${entry.user.id}`,
          detail: { name, role: ROLE_NAMES[role], invited_by: row.inviter },
        });
        return entry;
      });
    },
  };
}
