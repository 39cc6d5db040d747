import { Model } from 'objection';
import type { ClientScope, Role } from '#server/permissions.ts';
import type { InvitationView } from './contract.ts';

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
  /** Set only when the query joins the inviter. */
  declare inviter: string;

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
      state: this.expires_at > now.toISOString() ? 'open' : 'expired',
    };
  }
}
