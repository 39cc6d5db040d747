import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { Permission } from '#server/permissions.ts';
import { ROLE_PERMISSIONS } from '#server/permissions.ts';
import type { WorkHours } from '#server/auth/contract.ts';
import { hoursText, initials } from '#server/auth/contract.ts';
import type { TeamDependencies } from './dependencies.ts';
import { ADJUSTABLE, ROLE_NAMES } from './contract.ts';
import type { Adjustable, PersonChange, PersonView } from './contract.ts';

/** The columns of a user that the team screen needs. */
export interface PersonRow {
  id: number;
  firm_id: number;
  name: string;
  email: string;
  role: PersonView['role'];
  permissions: string;
  permissions_taken: string;
  client_scope: PersonView['client_scope'];
  work_hours: string | null;
  networks: string;
  daily_downloads: number | null;
  last_seen_at: string | null;
  deactivated_at: string | null;
}

const parseList = (text: string) => JSON.parse(text) as string[];
const adjustableOf = (all: readonly string[]): Adjustable[] =>
  (Object.keys(ADJUSTABLE) as Adjustable[]).filter((permission) => all.includes(permission));

/**
 * The permissions given beyond the role, and those of the role taken away; what the role settles by itself is in
 * neither.
 */
function adjustments(
  role: PersonView['role'],
  given: readonly string[],
  taken: readonly string[],
): Pick<PersonView, 'given' | 'taken'> {
  if (role === 'admin') return { given: [], taken: [] };
  const ofRole: readonly Permission[] = ROLE_PERMISSIONS[role];
  return {
    given: adjustableOf(given).filter(
      (permission) => !ofRole.includes(permission) && !taken.includes(permission),
    ),
    taken: adjustableOf(taken).filter((permission) => ofRole.includes(permission)),
  };
}

const countBy = async (rows: Knex.QueryBuilder): Promise<Map<number, number>> => {
  const counts = (await rows.groupBy('user_id')) as { user_id: number; n: number }[];
  return new Map(counts.map(({ user_id, n }) => [user_id, Number(n)]));
};

/** All users of the firm, oldest first, deactivated ones last. */
export async function listPeople(
  db: Knex,
  actor: Actor,
  allowed: number,
  { auth, downloadedToday }: Pick<TeamDependencies, 'auth' | 'downloadedToday'>,
): Promise<PersonView[]> {
  const rows: PersonRow[] = await db('users').where({ firm_id: actor.firmId }).orderBy('id');
  const ofFirm = () => db('users').where({ firm_id: actor.firmId }).select('id');
  const [devices, clients, twoStep, downloads] = await Promise.all([
    countBy(auth.aliveSessions(db).whereIn('user_id', ofFirm()).select('user_id').count({ n: '*' })),
    countBy(
      db('client_access').whereIn('user_id', ofFirm()).select('user_id').countDistinct({ n: 'client_id' }),
    ),
    auth.twoStep.usedBy(db, ofFirm()),
    downloadedToday(actor.firmId),
  ]);
  const seated = new Set(
    rows
      .filter(({ deactivated_at }) => deactivated_at === null)
      .slice(0, allowed)
      .map(({ id }) => id),
  );
  const views = rows.map((row): PersonView => ({
    id: row.id,
    name: row.name,
    email: row.email,
    initials: initials(row.name),
    role: row.role,
    ...adjustments(row.role, parseList(row.permissions), parseList(row.permissions_taken)),
    client_scope: row.client_scope,
    clients: clients.get(row.id) ?? 0,
    last_seen_at: row.last_seen_at,
    two_step: twoStep.has(row.id),
    devices: devices.get(row.id) ?? 0,
    state: row.deactivated_at !== null ? 'deactivated' : seated.has(row.id) ? 'active' : 'read_only',
    deactivated_at: row.deactivated_at,
    work_hours: row.work_hours === null ? null : (JSON.parse(row.work_hours) as WorkHours),
    networks: parseList(row.networks),
    daily_downloads: row.daily_downloads,
    downloads_today: downloads.get(row.id) ?? 0,
    is_you: row.id === actor.userId,
  }));
  return views.toSorted(
    (a, b) => Number(a.state === 'deactivated') - Number(b.state === 'deactivated') || a.id - b.id,
  );
}

/** The columns of the row after the change. */
export function changedColumns(row: PersonRow, change: PersonChange) {
  const role = change.role ?? row.role;
  const { given, taken } = adjustments(
    role,
    change.given ?? parseList(row.permissions),
    change.taken ?? parseList(row.permissions_taken),
  );
  return {
    role,
    permissions: JSON.stringify(given),
    permissions_taken: JSON.stringify(taken),
    work_hours:
      change.work_hours === undefined
        ? row.work_hours
        : change.work_hours && JSON.stringify(change.work_hours),
    networks: change.networks === undefined ? row.networks : JSON.stringify(change.networks),
    daily_downloads: change.daily_downloads === undefined ? row.daily_downloads : change.daily_downloads,
  };
}
type Columns = ReturnType<typeof changedColumns>;

const permissionTexts = (text: string) =>
  parseList(text).map((permission) => ADJUSTABLE[permission as Adjustable].toLowerCase());
const textOr = (text: string, none: string) => text || none;
const FIELD_TEXTS: readonly [label: string, describe: (of: Columns) => string][] = [
  ['role', ({ role }) => ROLE_NAMES[role]],
  ['given beside the role', ({ permissions }) => textOr(permissionTexts(permissions).join(', '), 'nothing')],
  [
    'taken from the role',
    ({ permissions_taken }) => textOr(permissionTexts(permissions_taken).join(', '), 'nothing'),
  ],
  [
    'work hours',
    ({ work_hours }) => (work_hours === null ? 'any time' : hoursText(JSON.parse(work_hours) as WorkHours)),
  ],
  ['networks', ({ networks }) => textOr(parseList(networks).join(', '), 'anywhere')],
  ['downloads a day', ({ daily_downloads }) => String(daily_downloads ?? 'no limit')],
];

/** The differences as text: `role: Staff → Manager`. */
export function differences(before: Columns, after: Columns): string[] {
  return FIELD_TEXTS.flatMap(([label, describe]) => {
    const [was, is] = [describe(before), describe(after)];
    return was === is ? [] : [`${label}: ${was} → ${is}`];
  });
}
