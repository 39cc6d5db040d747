import type { ClientScope, Permission, Role } from './permissions.ts';

/**
 * Somebody outside the firm, who looks at items through a shared link, with the rights of its creator, or sends
 * files through one.
 */
export interface Recipient {
  /** The shared link. */
  linkId?: number;
  /** The link through which files come in: `request:17`. */
  door?: string;
  /**
   * Name for the history and the watermark: the verified e-mail address, or the network address that opened the
   * link.
   */
  name: string;
  firmName: string;
  /** Distinguishes browsers that use the same link. */
  visitor: string;
  /** Whether the link shows Aadhaar numbers masked. */
  masked?: boolean;
  /** Whether the link shows pages of password-protected PDFs whose password the office knows. */
  opensLocked?: boolean;
}

/** The user on whose behalf code runs; the first argument of every service. */
export interface Actor {
  userId: number;
  firmId: number;
  sessionId: number;
  role: Role;
  /**
   * The role's permissions after individual grants and withdrawals, and without those that need a seat if there
   * is none.
   */
  permissions: readonly Permission[];
  clientScope: ClientScope;
  /**
   * Narrows what `clientScope` shows to this client and to what belongs to none. Set for visitors of what stands on
   * this client's page, whatever else the maker of the link sees.
   */
  onlyClient?: number;
  /** False for the newest users beyond the plan's limit: they may only read and sign out. */
  seated: boolean;
  /** True when the firm requires two-step sign-in and the user has not set it up yet: nothing else is allowed. */
  owesTwoStep: boolean;
  /** When `owesTwoStep` will become true, ISO 8601; null or missing when nothing is due or it is due already. */
  twoStepFrom?: string | null;
  /** Whether the user has confirmed their identity within the last minutes; false without a session. */
  proven?: boolean;
  /** The network address of the request that added the job, where a job acts for the user. */
  ip?: string | undefined;
  /** Files that may be downloaded per day; null without a limit. */
  dailyDownloads: number | null;
  /** Set when the actor is not the user but somebody whom the user's link has let in. */
  recipient?: Recipient;
  /** Set when a program acts through an app password: its name, and the only folder that it may see, or null. */
  app?: { id: number; name: string; folder: number | null };
  /** Set when a connected upload program acts, through a token of its own: the name of its computer. */
  program?: { id: number; name: string };
}

/** Somebody outside the firm as an actor, with the rights that a link gives: by default none. @param userId the link's maker. */
export const outsideActor = ({
  permissions = [],
  clientScope = 'assigned',
  ...who
}: Pick<Actor, 'userId' | 'firmId'> &
  Partial<Pick<Actor, 'permissions' | 'clientScope'>> & { recipient: Recipient }): Actor & {
  recipient: Recipient;
} => ({
  ...who,
  permissions,
  clientScope,
  sessionId: 0,
  role: 'viewer',
  seated: true,
  owesTwoStep: false,
  dailyDownloads: null,
});

/** `permissions` already contains what the role allows: check nothing else. */
export const may = ({ permissions }: Pick<Actor, 'permissions'>, permission: Permission): boolean =>
  permissions.includes(permission);
