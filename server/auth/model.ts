import { Model } from 'objection';
import type { Actor, ClientScope, Permission, Role } from '#server/actor.ts';
import type { UserView } from './contract.ts';
import { initials } from './contract.ts';
import { permissionsOf } from './policy.ts';
import { owesBy } from './seats.ts';

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
  /** A JSON list of what was given beside the role. */
  declare permissions: string;
  /** A JSON list of what the role allows and this person may not. */
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
  /** Only where the query joins the firm. */
  declare firm_name: string;

  toView({ seated = true, owesTwoStep = false } = {}): UserView {
    return {
      id: this.id,
      name: this.name,
      full_name: this.name,
      email: this.email,
      initials: initials(this.name),
      role: this.role,
      permissions: owesTwoStep ? [] : [...granted(this, seated)],
      client_scope: this.client_scope,
      seated,
      owes_two_step: owesTwoStep,
      phone: this.phone,
      ca_license_number: this.ca_license_number,
      firm_name: this.firm_name,
    };
  }
}

const granted = (
  of: { role: Role; permissions: string; permissions_taken: string },
  seated = true,
): readonly Permission[] =>
  permissionsOf(of.role, JSON.parse(of.permissions), JSON.parse(of.permissions_taken), { seated });

/** A session with what the gate needs to know of its user, in one row. */
export interface SessionRow {
  id: number;
  user_id: number;
  created_at: string;
  last_used_at: string;
  /** Null, or left out, where nothing was proved. */
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
  /** 1, or 0 for one beyond the number of users that the plan allows. */
  seated: number;
  /** From when nothing may be done without two-step sign-in, ISO 8601; null for one who owes none. */
  two_step_from: string | null;
}

export function actorFrom(row: SessionRow, now: Date): Actor {
  const owesTwoStep = owesBy(row.two_step_from, now);
  return {
    userId: row.user_id,
    firmId: row.firm_id,
    sessionId: row.id,
    role: row.role,
    permissions: owesTwoStep ? [] : granted(row, row.seated === 1),
    clientScope: row.client_scope,
    seated: row.seated === 1,
    owesTwoStep,
    twoStepFrom: owesTwoStep ? null : row.two_step_from,
    dailyDownloads: row.daily_downloads,
  };
}
