import type { Knex } from 'knex';
import type { Actor, Permission } from '#server/actor.ts';
import { ROLE_PERMISSIONS } from '#server/actor.ts';
import type { WorkHours } from '#server/auth/contract.ts';
import { hoursText, initials } from '#server/auth/contract.ts';
import type { TeamParts } from './parts.ts';
import { ADJUSTABLE, ROLE_NAMES } from './contract.ts';
import type { Adjustable, PersonChange, PersonView } from './contract.ts';

/** A user as the team knows one. */
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

const listIn = (text: string) => JSON.parse(text) as string[];
const adjustable = (all: readonly string[]): Adjustable[] =>
  (Object.keys(ADJUSTABLE) as Adjustable[]).filter((one) => all.includes(one));

/** What one may beside the role, and may not of it; the role's own is in neither. */
function adjustments(
  role: PersonView['role'],
  given: readonly string[],
  taken: readonly string[],
): Pick<PersonView, 'given' | 'taken'> {
  if (role === 'admin') return { given: [], taken: [] };
  const own: readonly Permission[] = ROLE_PERMISSIONS[role];
  return {
    given: adjustable(given).filter((one) => !own.includes(one) && !taken.includes(one)),
    taken: adjustable(taken).filter((one) => own.includes(one)),
  };
}

const countBy = async (rows: Knex.QueryBuilder): Promise<Map<number, number>> => {
  const found = (await rows.groupBy('user_id')) as { user_id: number; n: number }[];
  return new Map(found.map(({ user_id, n }) => [user_id, Number(n)]));
};

/** Everybody of the firm, the oldest first; who has left stands last. */
export async function listPeople(
  db: Knex,
  actor: Actor,
  allowed: number,
  { auth, downloadedToday }: Pick<TeamParts, 'auth' | 'downloadedToday'>,
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
    ...adjustments(row.role, listIn(row.permissions), listIn(row.permissions_taken)),
    client_scope: row.client_scope,
    clients: clients.get(row.id) ?? 0,
    last_seen_at: row.last_seen_at,
    two_step: twoStep.has(row.id),
    devices: devices.get(row.id) ?? 0,
    state: row.deactivated_at !== null ? 'deactivated' : seated.has(row.id) ? 'active' : 'read_only',
    deactivated_at: row.deactivated_at,
    work_hours: row.work_hours === null ? null : (JSON.parse(row.work_hours) as WorkHours),
    networks: listIn(row.networks),
    daily_downloads: row.daily_downloads,
    downloads_today: downloads.get(row.id) ?? 0,
    is_you: row.id === actor.userId,
  }));
  return views.toSorted(
    (a, b) => Number(a.state === 'deactivated') - Number(b.state === 'deactivated') || a.id - b.id,
  );
}

/** The row's columns as the change leaves them. */
export function changed(row: PersonRow, change: PersonChange) {
  const role = change.role ?? row.role;
  const { given, taken } = adjustments(
    role,
    change.given ?? listIn(row.permissions),
    change.taken ?? listIn(row.permissions_taken),
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
type Columns = ReturnType<typeof changed>;

const may = (text: string) => listIn(text).map((one) => ADJUSTABLE[one as Adjustable].toLowerCase());
const or = (text: string, none: string) => text || none;
const WORDS: readonly [label: string, words: (of: Columns) => string][] = [
  ['role', ({ role }) => ROLE_NAMES[role]],
  ['given beside the role', ({ permissions }) => or(may(permissions).join(', '), 'nothing')],
  ['taken from the role', ({ permissions_taken }) => or(may(permissions_taken).join(', '), 'nothing')],
  [
    'work hours',
    ({ work_hours }) => (work_hours === null ? 'any time' : hoursText(JSON.parse(work_hours) as WorkHours)),
  ],
  ['networks', ({ networks }) => or(listIn(networks).join(', '), 'anywhere')],
  ['downloads a day', ({ daily_downloads }) => String(daily_downloads ?? 'no limit')],
];

/** What differs, in words: `role: Staff → Manager`. */
export function differences(before: Columns, after: Columns): string[] {
  return WORDS.flatMap(([label, words]) => {
    const [was, is] = [words(before), words(after)];
    return was === is ? [] : [`${label}: ${was} → ${is}`];
  });
}
