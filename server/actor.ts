export const PERMISSIONS = [
  'documents.read',
  'documents.write',
  'documents.delete',
  'documents.download',
  /** What is linked to no client, for one who sees assigned clients only. */
  'documents.unassigned',
  'share',
  'clients.write',
  'history.read',
  'retention.manage',
  'billing.manage',
  'team.manage',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** From the most to the least that is allowed. */
export const ROLES = ['admin', 'manager', 'staff', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

const STAFF = [
  'documents.read',
  'documents.write',
  'documents.delete',
  'documents.download',
  'clients.write',
] as const satisfies readonly Permission[];

/** What each role allows, before anything is given to or taken from a person. */
export const ROLE_PERMISSIONS: Record<Role, readonly Permission[]> = {
  admin: PERMISSIONS,
  manager: [...STAFF, 'documents.unassigned', 'share', 'history.read', 'retention.manage'],
  staff: STAFF,
  viewer: ['documents.read', 'documents.download'],
};

/** Whether a person sees every client of the firm or only those assigned to them. */
export const CLIENT_SCOPES = ['all', 'assigned'] as const;
export type ClientScope = (typeof CLIENT_SCOPES)[number];

/** Somebody outside of the firm, who looks by a link through the eyes of its maker, or sends something in by one. */
export interface Recipient {
  /** The link by which something is shared. */
  linkId?: number;
  /** The link by which something comes in: `request:17`. */
  door?: string;
  /** As the history and the stamp across a page say it: the address that was proved, or from where the link was opened. */
  name: string;
  firmName: string;
  /** Tells the browser from others with the same link. */
  visitor: string;
  /** Whether Aadhaar numbers are covered in what the link gives. */
  masked?: boolean;
  /** Whether the link shows pages of PDFs that open only with a password which the office knows. */
  opensLocked?: boolean;
}

/** The user on whose behalf code runs; every service takes it first. */
export interface Actor {
  userId: number;
  firmId: number;
  sessionId: number;
  role: Role;
  /** What the role allows with what was given and taken, and without what needs a seat of the plan if there is none. */
  permissions: readonly Permission[];
  clientScope: ClientScope;
  /** False for the newest users beyond the number that the plan allows: they read and leave. */
  seated: boolean;
  /** True for one who has to set up two-step sign-in, since the firm demands it, before anything else is allowed. */
  owesTwoStep: boolean;
  /** The moment from which that will be so, ISO 8601; null, or left out, when nothing is owed or it has come. */
  twoStepFrom?: string | null;
  /** Whether a password, code or passkey has shown within the last minutes that it is this user; false without a session. */
  proven?: boolean;
  /** Files that may be downloaded in a day; null without a limit. */
  dailyDownloads: number | null;
  /** Set where it is not the user who acts, but whom a link of theirs has let in. */
  recipient?: Recipient;
  /** Set where a program acts for the user, by an app password: its name, and the only folder that it may see or null. */
  app?: { id: number; name: string; folder: number | null };
  /** Set where a program acts that was connected to upload for the user, by a token of its own: what its computer is called. */
  program?: { id: number; name: string };
}

/** What a role allows is in the permissions already; nothing else is to be asked of it. */
export const may = ({ permissions }: Pick<Actor, 'permissions'>, permission: Permission): boolean =>
  permissions.includes(permission);
