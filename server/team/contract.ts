import * as v from 'valibot';
import type { ClientScope, Permission, Role } from '#server/actor.ts';
import { CLIENT_SCOPES, ROLE_PERMISSIONS, ROLES } from '#server/actor.ts';
import type { WorkHours } from '#server/auth/contract.ts';
import { fieldRules } from '#server/auth/contract.ts';

/** Addresses of one call. */
const INVITES_MAX = 50;
/** For so many days a link is good. */
export const INVITATION_DAYS = 7;
/** Office networks of one person. */
const NETWORKS_MAX = 20;

export const ROLE_NAMES: Record<Role, string> = {
  admin: 'Admin',
  manager: 'Manager',
  staff: 'Staff',
  viewer: 'Viewer',
};

/** What each role is for, as it is chosen. */
export const ROLE_TEXTS: Record<Role, string> = {
  admin: 'Everything, with the team and the plan',
  manager: 'All work, sharing, history and seals, without the team and the plan',
  staff: 'Upload, edit, delete and download; add clients',
  viewer: 'Look and download, change nothing',
};

/** What can be given to or taken from one person beside the role, with what it lets them do. */
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

/** Which of these permissions each role has by itself. */
export const ROLE_ALLOWS = Object.fromEntries(
  ROLES.map((role) => [
    role,
    (Object.keys(ADJUSTABLE) as Adjustable[]).filter((one) => ROLE_PERMISSIONS[role].includes(one)),
  ]),
) as Record<Role, Adjustable[]>;

export interface PersonView {
  id: number;
  name: string;
  email: string;
  initials: string;
  role: Role;
  /** Beside what the role allows, and not of what it allows. */
  given: Adjustable[];
  taken: Adjustable[];
  client_scope: ClientScope;
  /** How many clients are assigned; counts for nothing with the scope `all`. */
  clients: number;
  /** ISO 8601, to five minutes; null before the first time. */
  last_seen_at: string | null;
  two_step: boolean;
  /** Where the person is signed in. */
  devices: number;
  /** `read_only` beyond the number of people that the plan allows. */
  state: 'active' | 'read_only' | 'deactivated';
  deactivated_at: string | null;
  work_hours: WorkHours | null;
  networks: string[];
  /** Files that may be downloaded in a day of India; null without a limit. */
  daily_downloads: number | null;
  /** How many were; of one without a limit nothing is counted. */
  downloads_today: number;
  is_you: boolean;
}

export interface InvitationView {
  id: number;
  email: string;
  role: Role;
  client_scope: ClientScope;
  /** Clients and groups of clients that are assigned. */
  clients: number;
  /** The name of who invited. */
  invited_by: string;
  sent_at: string;
  expires_at: string;
  state: 'open' | 'expired';
}

/** An invitation that was just sent, or whose link has to be sent by hand. */
export interface Invited extends InvitationView {
  /** Only where e-mails do not leave the server: it is not kept, and is told this once. */
  link?: string;
}

export interface Seats {
  /** People of the firm who are not deactivated. */
  people: number;
  /** Invitations that are still good. */
  invited: number;
  /** People and open invitations together that the plan allows. */
  allowed: number;
}

export interface TeamView {
  people: PersonView[];
  invitations: InvitationView[];
  seats: Seats;
  /** Whether everybody has to use two-step sign-in. */
  two_step_required: boolean;
  /** From when, ISO 8601; null where it is not. */
  two_step_from: string | null;
}

/** What one who holds a link is told before joining. */
export type JoinView =
  | { state: 'open'; firm: string; email: string; invited_by: string; two_step_required: boolean }
  /** The address belongs to a user already, who cannot be in two firms. */
  | { state: 'taken'; firm: string; email: string; invited_by: string }
  /** The firm's plan has no place left. */
  | { state: 'full'; firm: string; invited_by: string }
  /** Used, revoked, run out, or never sent. */
  | { state: 'over' };

const persons = (count: number) => `${count} ${count === 1 ? 'person' : 'people'}`;

/** Why no more than so many can come in. */
export function fullText({ people, invited, allowed }: Seats, wanted = 1): string {
  const free = Math.max(0, allowed - people - invited);
  const here = `${persons(people)} ${people === 1 ? 'works' : 'work'} here${invited > 0 ? ` and ${invited} ${invited === 1 ? 'is' : 'are'} invited` : ''}`;
  const left = free === 0 ? 'so there is no seat left' : `so there is room for ${free} more, not ${wanted}`;
  return `Your plan allows ${persons(allowed)}: ${here}, ${left}. Choose a larger plan, or deactivate somebody or revoke an invitation first.`;
}

/** Addresses in a text as people paste it: one a line, with commas, or as `Ravi Kumar <ravi@rao.in>`; each once. */
function addressesIn(text: string): string[] {
  const parts = text
    .replace(/"[^"]*"/g, ' ')
    .split(/[\n\r,;]+/)
    .flatMap((part) => /<([^<>]*)>/.exec(part)?.[1] ?? part.split(/\s+/));
  return [...new Set(parts.map((part) => part.trim().toLowerCase()).filter(Boolean))];
}

const isAddress = (text: string) => v.safeParse(fieldRules.email, text).success;
/** Those that are no addresses, some of many. */
const faulty = (all: readonly string[]) => all.filter((one) => !isAddress(one)).slice(0, 5);

const EMAILS = 'Enter at least one e-mail address';
const emails = v.pipe(
  v.union([v.string(), v.array(v.string(EMAILS))], EMAILS),
  v.transform((given) => addressesIn(typeof given === 'string' ? given : given.join('\n'))),
  v.nonEmpty(EMAILS),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { value } = dataset;
    if (value.length > INVITES_MAX) {
      addIssue({
        message: `Invite at most ${INVITES_MAX} people at a time; these are ${value.length} addresses`,
      });
      return;
    }
    const wrong = faulty(value);
    if (wrong.length > 0)
      addIssue({ message: `Not an e-mail address: ${wrong.map((one) => one.slice(0, 60)).join(', ')}` });
  }),
);

const role = v.picklist(ROLES, 'Choose a role from the list');
const client_scope = v.picklist(CLIENT_SCOPES, 'Choose all clients or assigned clients');
const CLIENTS = 'Choose clients from the list';
const ids = v.pipe(
  v.array(v.pipe(v.number(CLIENTS), v.safeInteger(CLIENTS), v.minValue(1, CLIENTS)), CLIENTS),
  v.maxLength(5000, 'These are more than 5,000 clients: assign all clients, or groups of clients'),
  v.transform((all) => [...new Set(all)]),
);
const groups = v.pipe(
  v.array(v.pipe(v.string(CLIENTS), v.maxLength(200, CLIENTS)), CLIENTS),
  v.maxLength(500, CLIENTS),
  v.transform((all) => [...new Set(all)]),
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
  v.transform((all) => [...new Set(all)]),
);
const TIME = 'Give times as 09:30';
const time = v.pipe(v.string(TIME), v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, TIME));
const DAYS = 'Choose at least one day';
const work_hours = v.nullable(
  v.object({
    days: v.pipe(
      v.array(v.pipe(v.number(DAYS), v.integer(DAYS), v.minValue(1, DAYS), v.maxValue(7, DAYS)), DAYS),
      v.nonEmpty(DAYS),
      v.transform((all) => [...new Set(all)].toSorted((a, b) => a - b)),
    ),
    from: time,
    to: time,
  }),
);
const NETWORK = 'Give networks as 203.0.113.0/24 or 203.0.113.7, one a line';
const networks = v.pipe(
  v.array(v.pipe(v.string(NETWORK), v.trim(), v.nonEmpty(NETWORK), v.maxLength(60, NETWORK)), NETWORK),
  v.maxLength(NETWORKS_MAX, `At most ${NETWORKS_MAX} networks`),
);
const DOWNLOADS = 'Give a whole number from 1 to 1,00,000, or leave it empty for no limit';

/** Fields that are left out stay as they are. */
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

const HEIR = 'Choose a colleague from the list';
const person = v.pipe(v.number(HEIR), v.safeInteger(HEIR), v.minValue(1, HEIR));

/** `heir` becomes the owner of what the person has uploaded. */
export const deactivation = v.object({ heir: v.optional(v.nullable(person), null) });
export type Deactivation = v.InferOutput<typeof deactivation>;

const STAY = 'Choose who stays';
export const staying = v.object({
  ids: v.pipe(v.array(v.pipe(v.number(STAY), v.safeInteger(STAY)), STAY), v.nonEmpty(STAY)),
});

const NO_DAY = 'Choose the day from which it is required';
export const twoStepDemand = v.object({
  required: v.boolean('Say whether two-step sign-in is required'),
  /** A day in India; null for at once. */
  from: v.optional(v.nullable(v.pipe(v.string(NO_DAY), v.isoDate(NO_DAY))), null),
});
