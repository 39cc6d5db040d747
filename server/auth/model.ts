import { Model } from 'objection';
import type { Actor, Permission, Role, UserView } from './contract.ts';
import { initials } from './contract.ts';
import { permissionsOf } from './policy.ts';

export class Firm extends Model {
  static override tableName = 'firms';

  declare id: number;
  declare name: string;
  declare created_at: string;
}

export class User extends Model {
  static override tableName = 'users';

  declare id: number;
  declare firm_id: number;
  declare name: string;
  declare email: string;
  declare phone: string;
  declare ca_license_number: string;
  declare role: Role;
  /** A JSON list of what was granted beside the role. */
  declare permissions: string;
  declare password_hash: string;
  declare disabled_at: string | null;
  declare created_at: string;
  declare updated_at: string;
  /** Only where the query joins the firm. */
  declare firm_name: string;

  toView(): UserView {
    return {
      id: this.id,
      name: this.name,
      full_name: this.name,
      email: this.email,
      initials: initials(this.name),
      role: this.role,
      permissions: [...granted(this)],
      phone: this.phone,
      ca_license_number: this.ca_license_number,
      firm_name: this.firm_name,
    };
  }
}

const granted = ({ role, permissions }: { role: Role; permissions: string }): readonly Permission[] =>
  permissionsOf(role, JSON.parse(permissions) as string[]);

/** A session with what the gate needs to know of its user, in one row. */
export interface SessionRow {
  id: number;
  user_id: number;
  created_at: string;
  last_used_at: string;
  firm_id: number;
  role: Role;
  permissions: string;
}

export const actorFrom = (row: SessionRow): Actor => ({
  userId: row.user_id,
  firmId: row.firm_id,
  sessionId: row.id,
  role: row.role,
  permissions: granted(row),
});
