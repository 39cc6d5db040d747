import type { Role } from '#server/permissions.ts';
import type { Adjustable, PersonChange, PersonView } from '#server/team/contract.ts';
import { ADJUSTABLE, ROLE_ALLOWS } from '#server/team/contract.ts';
import * as t from '#messages/team.ts';

/** `All clients` or `12 clients`. */
export const clientsText = ({ role, client_scope, clients }: PersonView): string =>
  role === 'admin' || client_scope === 'all' ? t.allClients : t.someClients(clients);

export const ADJUSTABLE_PERMISSIONS = Object.keys(ADJUSTABLE) as Adjustable[];

/** The adjustable permissions that a person has. */
const allowedTo = ({ role, given, taken }: Pick<PersonView, 'role' | 'given' | 'taken'>): Adjustable[] =>
  ADJUSTABLE_PERMISSIONS.filter(
    (permission) =>
      (ROLE_ALLOWS[role].includes(permission) || given.includes(permission)) && !taken.includes(permission),
  );

/** The differences from the role's permissions. */
const adjusted = (role: Role, allowed: readonly Adjustable[]) => ({
  given: allowed.filter((permission) => !ROLE_ALLOWS[role].includes(permission)),
  taken: ADJUSTABLE_PERMISSIONS.filter(
    (permission) => ROLE_ALLOWS[role].includes(permission) && !allowed.includes(permission),
  ),
});

/** The values of the dialog's fields. */
interface Fields {
  role: Role;
  allowed: readonly Adjustable[];
  limited: boolean;
  days: readonly number[];
  from: string;
  to: string;
  networks: string;
  /** As typed; '' for no limit. */
  downloads: string;
}

/** What was edited in the dialog. Other fields follow the person, whom a colleague may change meanwhile. */
export interface Edits extends Partial<Omit<Fields, 'allowed'>> {
  /** The ticked and unticked permissions. */
  permissions?: Partial<Record<Adjustable, boolean>>;
}

export function fieldsOf(person: PersonView, { permissions = {}, ...edits }: Edits = {}): Fields {
  const { role } = edits;
  const granted = allowedTo(role === undefined ? person : { role, given: [], taken: [] });
  return {
    role: person.role,
    allowed: ADJUSTABLE_PERMISSIONS.filter(
      (permission) => permissions[permission] ?? granted.includes(permission),
    ),
    limited: person.work_hours !== null,
    days: person.work_hours?.days ?? [1, 2, 3, 4, 5, 6],
    from: person.work_hours?.from ?? '09:30',
    to: person.work_hours?.to ?? '19:00',
    networks: person.networks.join('\n'),
    downloads: person.daily_downloads === null ? '' : String(person.daily_downloads),
    ...edits,
  };
}

/** Parses the limit; -1 for text that is not a number, which the server refuses. */
function parseDownloads(typed: string): number | null {
  const text = typed.replaceAll(/[\s,]/g, '');
  if (text === '') return null;
  return /^\d+$/.test(text) ? Number(text) : -1;
}

/** The change to save: only what was edited, so that a colleague's simultaneous change of something else stays. */
export function changeOf(person: PersonView, edits: Edits): PersonChange {
  const { role, allowed, limited, days, from, to, networks, downloads } = fieldsOf(person, edits);
  const isEdited = (...names: readonly (keyof Edits)[]) => names.some((name) => edits[name] !== undefined);
  return {
    ...(isEdited('role') && { role }),
    ...(isEdited('role', 'permissions') && role !== 'admin' && adjusted(role, allowed)),
    ...(isEdited('limited', 'days', 'from', 'to') && {
      work_hours: limited ? { days: [...days], from, to } : null,
    }),
    ...(isEdited('networks') && { networks: networks.split(/[\s,]+/).filter(Boolean) }),
    ...(isEdited('downloads') && { daily_downloads: parseDownloads(downloads) }),
  };
}

/** Whether the person has reached the daily limit of downloads. */
export const isAtLimit = ({ state, daily_downloads, downloads_today }: PersonView): boolean =>
  state !== 'deactivated' && daily_downloads !== null && downloads_today >= daily_downloads;
