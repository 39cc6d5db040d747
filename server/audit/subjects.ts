import { lazily } from '#server/text/lazily.ts';
import type { Names, Noted } from './names.ts';
import { subjectId, unnamedItems } from './names.ts';

/** So many of the chosen are named; the rest are counted. */
const NAMED = 3;
const ROOT = 'My Drive';

const rupees = lazily(() => new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' }));
const moment = lazily(
  () =>
    new Intl.DateTimeFormat('en-IN', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Kolkata' }),
);
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

function listed(all: readonly string[], count = all.length): string {
  const shown = all.slice(0, NAMED).join(', ');
  return count > NAMED ? `${shown} and ${count - NAMED} more` : shown;
}

const clientNamed = (names: Names, id: unknown): string =>
  typeof id === 'number' ? (names.clients.get(id) ?? 'a deleted client') : 'no client';

/** The items that a row is about, by name. */
function items(row: Noted, names: Names): string {
  const { name, names: noted, chosen } = row.detail;
  if (typeof name === 'string') return name;
  const count = typeof chosen === 'number' && chosen > 0 ? chosen : undefined;
  if (Array.isArray(noted)) return listed(noted.map(String), Math.max(count ?? 0, noted.length));
  const ids = unnamedItems(row);
  const known = ids.flatMap((id) => names.items.get(id) ?? []);
  const gone = ids.length - known.length;
  const deleted = gone === 0 ? [] : [gone === 1 ? 'a deleted item' : `${gone} deleted items`];
  if (ids.length === 0) return count ? plural(count, 'item') : '';
  return known.length === 0
    ? listed(deleted)
    : [listed(known, Math.max(known.length, (count ?? 0) - gone)), ...deleted].join(' and ');
}

const path = (value: unknown): string => text(value) ?? ROOT;

function moved(row: Noted, names: Names): string {
  const { from, to, client, client_name } = row.detail;
  const linked = typeof client === 'number' ? text(client_name) || clientNamed(names, client) : undefined;
  const along = linked ? `, linked to ${linked}` : '';
  if (to === undefined) return `${items(row, names)}${along}`;
  const folder = typeof to === 'number' ? (names.items.get(to) ?? 'a deleted folder') : path(to);
  const before = Array.isArray(from) ? `: ${listed(from.map(path))}` : '';
  return `${items(row, names)}${before} → ${folder}${along}`;
}

function linked(row: Noted, names: Names): string {
  const { from, to, from_name, to_name, inside } = row.detail;
  const after = text(to_name) ?? clientNamed(names, to);
  const before = 'from' in row.detail ? `: ${text(from_name) ?? clientNamed(names, from)}` : '';
  const along = typeof inside === 'number' ? `, with ${plural(inside, 'item')} inside` : '';
  return `${items(row, names)}${before} → ${after}${inside === 'all' ? ', with everything inside' : along}`;
}

function paid({ detail }: Noted): string {
  const amount =
    typeof detail['amount_paise'] === 'number' ? rupees().format(detail['amount_paise'] / 100) : undefined;
  return [text(detail['plan']), text(detail['billing_cycle']), amount].filter(Boolean).join(', ');
}

/** `Ravi Kumar: role: Staff → Manager`. */
function teamwork({ detail: { name, role, changes, heir, items: handed } }: Noted): string {
  const more = [
    text(role),
    ...(Array.isArray(changes) ? changes.map(String) : []),
    ...(typeof heir === 'string' ? [`${plural(Number(handed), 'item')} → ${heir}`] : []),
  ].filter(Boolean);
  return [text(name), more.join('; ')].filter(Boolean).join(': ');
}

const REASONED = new Set([
  'document.seal',
  'document.break_seal',
  'client.hold',
  'client.lift_hold',
  'retention.remove_rule',
  'retention.exempt',
  'retention.apply',
  'retention.confirm',
]);

/** Why it was done, or which version of a file it was done to. */
function because({ did, detail }: Noted): string {
  const reason = text(detail['reason']);
  if (REASONED.has(did) && reason !== undefined) return `: ${reason}`;
  const of = text(detail['version_of']);
  if (of === undefined) return '';
  const word = text(detail['word']);
  return `, version of ${moment().format(new Date(of))}${word === undefined ? '' : `: ${word}`}`;
}

/** What an event was about, by its name as it was then where the row has it. Never an id. */
export function concerning(row: Noted, names: Names): string {
  const { did, subject, detail } = row;
  const { name, from, to, changed, clients, created, updated, entry, into, kept_as, filters, label } = detail;
  if (did === 'export.history') return text(filters) ?? '';
  if (did === 'document.move') return moved(row, names);
  if (did === 'document.client') return linked(row, names);
  if (did === 'label.put' || did === 'label.take') return `${items(row, names)}: ${String(label)}`;
  if (did.startsWith('payments.')) return paid(row);
  if (did.startsWith('team.')) return teamwork(row);
  if (did.startsWith('share.') && typeof to === 'string') return `${items(row, names)} → ${to}`;
  if (did === 'client.import') return `${created} added, ${updated} changed`;
  if (did === 'client.export') return plural(Number(clients), 'client');
  if (typeof from === 'string' && typeof to === 'string') return `${from} → ${to}`;
  if (typeof entry === 'string') return `${entry} in ${String(name)}`;
  if (typeof into === 'string') return `${String(name)} → ${into}`;
  if (typeof kept_as === 'string') return `${String(name)}, the former one kept as ${kept_as}`;
  const what = items(row, names);
  if (what) return what + because(row);
  if (Array.isArray(changed)) return changed.map((one) => String(one).replaceAll('_', ' ')).join(', ');
  const [client] = subjectId(subject, 'client');
  if (client !== undefined) return clientNamed(names, client);
  return subject?.startsWith('plan:') ? subject.slice('plan:'.length) : '';
}

/** What of a row tells of folders, or counts things, that a person with assigned clients may not see. */
const UNSEEN: Record<string, readonly string[]> = {
  'document.move': ['from', 'to'],
  'document.delete': ['files', 'bytes'],
  'document.trash': ['files', 'bytes'],
  'document.restore': ['folders'],
};

/** The row for such a person: paths are names only, and nobody knows whose folders they were. */
export function withoutUnseen<Row extends Noted>(row: Row): Row {
  const hidden = ['parent_id', ...(UNSEEN[row.did] ?? [])];
  const detail = Object.fromEntries(Object.entries(row.detail).filter(([key]) => !hidden.includes(key)));
  return { ...row, detail };
}

/** What `concerning` says already, and ids. */
const SAID = new Set(
  (
    'name names ids parent_id chosen from to from_name to_name client client_name entry into kept_as clients created ' +
    'updated plan billing_cycle amount_paise inline changes role heir browser filters recipient link door label'
  ).split(' '),
);

/** What else a row tells, for a table: `files: 3; bytes: 4096`. */
export const remaining = ({ detail }: Noted): string =>
  Object.entries(detail)
    .filter(([key, value]) => !SAID.has(key) && value !== null)
    .map(
      ([key, value]) =>
        `${key.replaceAll('_', ' ')}: ${Array.isArray(value) ? value.join(', ') : String(value)}`,
    )
    .join('; ');
