import * as v from 'valibot';
import type { ClientScope, Permission, Role } from '#server/permissions.ts';
import { CLIENT_SCOPES, ROLE_PERMISSIONS, ROLES } from '#server/permissions.ts';
import { isCalendarDay } from '#server/text/calendar-day.ts';
import type { WorkHours } from '#server/auth/contract.ts';
import { fieldRules } from '#server/auth/contract.ts';

/** E-mail addresses per request. */
const MAX_EMAILS = 50;
/** The lifetime of an invitation link. */
export const INVITATION_DAYS = 7;
/** Office networks per user. */
const MAX_NETWORKS = 20;

export const ROLE_NAMES: Record<Role, string> = {
  admin: 'Admin',
  manager: 'Manager',
  staff: 'Staff',
  viewer: 'Viewer',
};

/** The description of each role in the role picker. */
export const ROLE_TEXTS: Record<Role, string> = {
  admin: 'Everything, with the team and the plan',
  manager: 'All work, sharing, history and seals, without the team and the plan',
  staff: 'Upload, edit, delete and download; add clients',
  viewer: 'Look and download, change nothing',
};

/** Permissions that can be given to or taken from a user independently of the role, with their descriptions. */
export const ADJUSTABLE = {
  'documents.download': 'Download and print originals',
  'documents.delete': 'Delete',
  'documents.write': 'Upload, rename and move',
  share: 'Share with people outside',
  'documents.unassigned': 'See what is linked to no client',
  'clients.write': 'Add and edit clients',
  'history.read': 'Read the history',
} as const satisfies Partial<Record<Permission, string>>;
export type Adjustable = keyof typeof ADJUSTABLE;

/** The adjustable permissions that each role includes. */
export const ROLE_ALLOWS = Object.fromEntries(
  ROLES.map((role) => [
    role,
    (Object.keys(ADJUSTABLE) as Adjustable[]).filter((permission) =>
      ROLE_PERMISSIONS[role].includes(permission),
    ),
  ]),
) as Record<Role, Adjustable[]>;

export interface PersonView {
  id: number;
  name: string;
  email: string;
  initials: string;
  role: Role;
  /** Permissions beyond those of the role. */
  given: Adjustable[];
  /** Permissions of the role that the user does not have. */
  taken: Adjustable[];
  client_scope: ClientScope;
  /** The number of assigned clients; irrelevant with the scope `all`. */
  clients: number;
  /** ISO 8601, accurate to five minutes; null before the first visit. */
  last_seen_at: string | null;
  two_step: boolean;
  /** The number of devices on which the user is signed in. */
  devices: number;
  /** `read_only` beyond the number of users that the plan allows. */
  state: 'active' | 'read_only' | 'deactivated';
  deactivated_at: string | null;
  work_hours: WorkHours | null;
  networks: string[];
  /** Downloads allowed per calendar day in India; null without a limit. */
  daily_downloads: number | null;
  /** Downloads today; 0 for a user without a limit, whose downloads are not counted. */
  downloads_today: number;
  is_you: boolean;
}

export interface InvitationView {
  id: number;
  email: string;
  role: Role;
  client_scope: ClientScope;
  /** The number of assigned clients and client groups. */
  clients: number;
  /** The name of the inviter. */
  invited_by: string;
  sent_at: string;
  expires_at: string;
  state: 'open' | 'expired';
}

/** A new invitation. */
export interface Invited extends InvitationView {
  /**
   * Set only when the server sends no e-mail: the link is not stored, so this response is the only place that shows
   * it.
   */
  link?: string;
}

export interface Seats {
  /** Active users of the firm. */
  people: number;
  /** Open invitations. */
  invited: number;
  /** Active users and open invitations together that the plan allows. */
  allowed: number;
}

export interface TeamView {
  people: PersonView[];
  invitations: InvitationView[];
  seats: Seats;
  /** Whether the firm requires two-step sign-in. */
  two_step_required: boolean;
  /** When the requirement takes effect, ISO 8601; null without a requirement. */
  two_step_from: string | null;
}

/** What the holder of an invitation link sees before joining. */
export type JoinView =
  | { state: 'open'; firm: string; email: string; invited_by: string; two_step_required: boolean }
  /** The address belongs to a user already, who cannot be in two firms. */
  | { state: 'taken'; firm: string; email: string; invited_by: string }
  /** The firm's plan allows no more users. */
  | { state: 'full'; firm: string; invited_by: string }
  /** Used, revoked, expired, or unknown. */
  | { state: 'over' };

const peopleText = (count: number) => `${count} ${count === 1 ? 'person' : 'people'}`;

/** Explains that the plan does not allow `wanted` more users. */
export function seatsFullText({ people, invited, allowed }: Seats, wanted = 1): string {
  const free = Math.max(0, allowed - people - invited);
  const inUse = `${peopleText(people)} ${people === 1 ? 'works' : 'work'} here${invited > 0 ? ` and ${invited} ${invited === 1 ? 'is' : 'are'} invited` : ''}`;
  const remainder =
    free === 0 ? 'so there is no seat left' : `so there is room for ${free} more, not ${wanted}`;
  return `Your plan allows ${peopleText(allowed)}: ${inUse}, ${remainder}. Choose a larger plan, or deactivate somebody or revoke an invitation first.`;
}

/**
 * E-mail addresses in pasted text: one per line, comma-separated, or as `Ravi Kumar <ravi@rao.in>`; without
 * duplicates.
 */
function addressesIn(text: string): string[] {
  const parts = text
    .replace(/"[^"]*"/g, ' ')
    .split(/[\n\r,;]+/)
    .flatMap((part) => /<([^<>]*)>/.exec(part)?.[1] ?? part.split(/\s+/));
  return [...new Set(parts.map((part) => part.trim().toLowerCase()).filter(Boolean))];
}

const isAddress = (text: string) => v.safeParse(fieldRules.email, text).success;
/** The first few invalid addresses. */
const invalidAddresses = (values: readonly string[]) =>
  values.filter((address) => !isAddress(address)).slice(0, 5);

const EMAILS = 'Enter at least one e-mail address';
const emails = v.pipe(
  v.union([v.string(), v.array(v.string(EMAILS))], EMAILS),
  v.transform((input) => addressesIn(typeof input === 'string' ? input : input.join('\n'))),
  v.nonEmpty(EMAILS),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { value } = dataset;
    if (value.length > MAX_EMAILS) {
      addIssue({
        message: `Invite at most ${MAX_EMAILS} people at a time; these are ${value.length} addresses`,
      });
      return;
    }
    const invalid = invalidAddresses(value);
    if (invalid.length > 0)
      addIssue({
        message: `Not an e-mail address: ${invalid.map((address) => address.slice(0, 60)).join(', ')}`,
      });
  }),
);

const role = v.picklist(ROLES, 'Choose a role from the list');
const client_scope = v.picklist(CLIENT_SCOPES, 'Choose all clients or assigned clients');
const CLIENTS = 'Choose clients from the list';
const ids = v.pipe(
  v.array(v.pipe(v.number(CLIENTS), v.safeInteger(CLIENTS), v.minValue(1, CLIENTS)), CLIENTS),
  v.maxLength(5000, 'These are more than 5,000 clients: assign all clients, or groups of clients'),
  v.transform((values) => [...new Set(values)]),
);
const groups = v.pipe(
  v.array(v.pipe(v.string(CLIENTS), v.maxLength(200, CLIENTS), v.regex(/^\P{Cc}*$/u, CLIENTS)), CLIENTS),
  v.maxLength(500, CLIENTS),
  v.transform((values) => [...new Set(values)]),
);

export const invitation = v.object({
  emails,
  role,
  client_scope: v.optional(client_scope, 'all'),
  client_ids: v.optional(ids, []),
  groups: v.optional(groups, []),
});
export type Invitation = v.InferOutput<typeof invitation>;

const PERMISSION = 'Choose permissions from the list';
const permissions = v.pipe(
  v.array(v.picklist(Object.keys(ADJUSTABLE) as Adjustable[], PERMISSION), PERMISSION),
  v.transform((values) => [...new Set(values)]),
);
const TIME = 'Give times as 09:30';
const time = v.pipe(v.string(TIME), v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, TIME));
const DAYS = 'Choose at least one day';
const work_hours = v.nullable(
  v.object({
    days: v.pipe(
      v.array(v.pipe(v.number(DAYS), v.integer(DAYS), v.minValue(1, DAYS), v.maxValue(7, DAYS)), DAYS),
      v.nonEmpty(DAYS),
      v.transform((values) => [...new Set(values)].toSorted((a, b) => a - b)),
    ),
    from: time,
    to: time,
  }),
);
const NETWORK = 'Give networks as 203.0.113.0/24 or 203.0.113.7, one a line';
const networks = v.pipe(
  v.array(v.pipe(v.string(NETWORK), v.trim(), v.nonEmpty(NETWORK), v.maxLength(60, NETWORK)), NETWORK),
  v.maxLength(MAX_NETWORKS, `At most ${MAX_NETWORKS} networks`),
);
const DOWNLOADS = 'Give a whole number from 1 to 1,00,000, or leave it empty for no limit';

/** Omitted fields stay unchanged. */
export const personChange = v.object({
  role: v.optional(role),
  given: v.optional(permissions),
  taken: v.optional(permissions),
  work_hours: v.optional(work_hours),
  networks: v.optional(networks),
  daily_downloads: v.optional(
    v.nullable(
      v.pipe(
        v.number(DOWNLOADS),
        v.integer(DOWNLOADS),
        v.minValue(0, DOWNLOADS),
        v.maxValue(100_000, DOWNLOADS),
        v.transform((files) => files || null),
      ),
    ),
  ),
});
export type PersonChange = v.InferOutput<typeof personChange>;

const CHOOSE_HEIR = 'Choose a colleague from the list';
const person = v.pipe(v.number(CHOOSE_HEIR), v.safeInteger(CHOOSE_HEIR), v.minValue(1, CHOOSE_HEIR));

/** `heir` becomes the owner of everything that the user has uploaded. */
export const deactivation = v.object({ heir: v.optional(v.nullable(person), null) });
export type Deactivation = v.InferOutput<typeof deactivation>;

const CHOOSE_STAYING = 'Choose who stays';
export const remainingUsers = v.object({
  ids: v.pipe(
    v.array(v.pipe(v.number(CHOOSE_STAYING), v.safeInteger(CHOOSE_STAYING)), CHOOSE_STAYING),
    v.nonEmpty(CHOOSE_STAYING),
  ),
});

const CHOOSE_DAY = 'Choose the day from which it is required';
export const twoStepRequirement = v.object({
  required: v.boolean('Say whether two-step sign-in is required'),
  /** A date in India; null for an immediate effect. */
  from: v.optional(
    v.nullable(v.pipe(v.string(CHOOSE_DAY), v.isoDate(CHOOSE_DAY), v.check(isCalendarDay, CHOOSE_DAY))),
    null,
  ),
});
