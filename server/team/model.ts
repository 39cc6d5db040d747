import type { Knex } from 'knex';
import { Model } from 'objection';
import type { ClientScope, Role } from '#server/permissions.ts';
import type { InvitationView } from './contract.ts';
import { mayStillInvite } from './policy.ts';

export class InvitationRow extends Model {
  static override tableName = 'invitations';

  declare id: number;
  declare firm_id: number;
  /** Lower case. */
  declare email: string;
  declare role: Role;
  declare client_scope: ClientScope;
  /** JSON lists: ids of clients, names of groups. */
  declare clients: string;
  declare client_groups: string;
  declare token_hash: string;
  declare invited_by: number;
  declare sent_at: string;
  declare expires_at: string;
  /** Set only when the query joins the inviter, see `withInviter`. */
  declare inviter: string;
  declare inviter_role: Role;
  declare inviter_gone: string | null;

  /** Whether its link works: for seven days, and while the inviter could still send it. */
  isOpen(now: Date): boolean {
    const inviter = { role: this.inviter_role, deactivated_at: this.inviter_gone };
    return this.expires_at > now.toISOString() && mayStillInvite(inviter, this.role);
  }

  get clientIds(): number[] {
    return JSON.parse(this.clients) as number[];
  }

  get groups(): string[] {
    return JSON.parse(this.client_groups) as string[];
  }

  toView(now: Date): InvitationView {
    return {
      id: this.id,
      email: this.email,
      role: this.role,
      client_scope: this.client_scope,
      clients: this.clientIds.length + this.groups.length,
      invited_by: this.inviter,
      sent_at: this.sent_at,
      expires_at: this.expires_at,
      state: this.isOpen(now) ? 'open' : 'expired',
    };
  }
}

/** Invitations with their inviters. */
export const withInviter = (db: Knex) =>
  InvitationRow.query(db)
    .join('users', 'users.id', 'invitations.invited_by')
    .select(
      'invitations.*',
      'users.name as inviter',
      'users.role as inviter_role',
      'users.deactivated_at as inviter_gone',
    );

/** Ends the invitations that a user may no longer send, so that they take no seat. */
export async function endInvitations(
  trx: Knex.Transaction,
  inviter: { id: number; firm_id: number; role: Role; deactivated_at: string | null },
  now: Date,
): Promise<InvitationRow[]> {
  const made = await InvitationRow.query(trx)
    .where({ firm_id: inviter.firm_id, invited_by: inviter.id })
    .where('expires_at', '>', now.toISOString());
  const ended = made.filter(({ role }) => !mayStillInvite(inviter, role));
  for (const row of ended) await row.$query(trx).patch({ expires_at: now.toISOString() });
  return ended;
}
