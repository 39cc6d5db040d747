import { Model } from 'objection';
import type { Actor } from '#server/actor.ts';
import type { ClientScope, Permission, Role } from '#server/permissions.ts';
import type { UserView } from './contract.ts';
import { initials } from './contract.ts';
import { permissionsOf } from './policy.ts';
import { isTwoStepDue } from './sign-in-restrictions.ts';

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
  /** A JSON list of permissions given beyond those of the role. */
  declare permissions: string;
  /** A JSON list of permissions of the role that this user does not have. */
  declare permissions_taken: string;
  declare client_scope: ClientScope;
  /** A `WorkHours` as JSON; null for any time. */
  declare work_hours: string | null;
  /** A JSON list of networks in CIDR notation; an empty one for anywhere. */
  declare networks: string;
  declare daily_downloads: number | null;
  declare last_seen_at: string | null;
  declare password_hash: string;
  declare deactivated_at: string | null;
  declare created_at: string;
  declare updated_at: string;
  /** Set only when the query joins `firms`. */
  declare firm_name: string;

  toView({ seated = true, owesTwoStep = false } = {}): UserView {
    return {
      id: this.id,
      name: this.name,
      full_name: this.name,
      email: this.email,
      initials: initials(this.name),
      role: this.role,
      permissions: owesTwoStep ? [] : [...effectivePermissions(this, seated)],
      client_scope: this.client_scope,
      seated,
      owes_two_step: owesTwoStep,
      phone: this.phone,
      ca_license_number: this.ca_license_number,
      firm_name: this.firm_name,
    };
  }
}

const effectivePermissions = (
  user: { role: Role; permissions: string; permissions_taken: string },
  seated = true,
): readonly Permission[] =>
  permissionsOf(user.role, JSON.parse(user.permissions), JSON.parse(user.permissions_taken), { seated });

/** A session joined with the columns of its user that authorisation needs. */
export interface SessionRow {
  id: number;
  user_id: number;
  created_at: string;
  last_used_at: string;
  /** When the user last proved their identity; null or omitted without a proof. */
  proved_at?: string | null;
  firm_id: number;
  role: Role;
  permissions: string;
  permissions_taken: string;
  client_scope: ClientScope;
  work_hours: string | null;
  networks: string;
  daily_downloads: number | null;
  last_seen_at: string | null;
  /** 1, or 0 beyond the number of users that the plan allows. */
  seated: number;
  /**
   * When the firm's requirement of two-step sign-in takes effect for this user, ISO 8601; null when the user has a
   * second step or none is required.
   */
  two_step_from: string | null;
}

export function actorFrom(row: SessionRow, now: Date): Actor {
  const owesTwoStep = isTwoStepDue(row.two_step_from, now);
  return {
    userId: row.user_id,
    firmId: row.firm_id,
    sessionId: row.id,
    role: row.role,
    permissions: owesTwoStep ? [] : effectivePermissions(row, row.seated === 1),
    clientScope: row.client_scope,
    seated: row.seated === 1,
    owesTwoStep,
    twoStepFrom: owesTwoStep ? null : row.two_step_from,
    dailyDownloads: row.daily_downloads,
  };
}
