export const PERMISSIONS = [
  'documents.read',
  'documents.write',
  'documents.delete',
  'documents.download',
  /** Items that are linked to no client, for a user who sees only assigned clients. */
  'documents.unassigned',
  'share',
  'clients.write',
  'history.read',
  'retention.manage',
  'billing.manage',
  'team.manage',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** From most to least privileged. */
export const ROLES = ['admin', 'manager', 'staff', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

const STAFF = [
  'documents.read',
  'documents.write',
  'documents.delete',
  'documents.download',
  'clients.write',
] as const satisfies readonly Permission[];

/** Permissions of each role, before individual grants and withdrawals. */
export const ROLE_PERMISSIONS: Record<Role, readonly Permission[]> = {
  admin: PERMISSIONS,
  manager: [...STAFF, 'documents.unassigned', 'share', 'history.read', 'retention.manage'],
  staff: STAFF,
  viewer: ['documents.read', 'documents.download'],
};

/** Whether a user sees every client of the firm or only assigned ones. */
export const CLIENT_SCOPES = ['all', 'assigned'] as const;
export type ClientScope = (typeof CLIENT_SCOPES)[number];
