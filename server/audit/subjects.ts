import { timeInWords } from '#server/text/day-in-india.ts';
import { formatPaise } from '#server/text/rupees.ts';
import type { Names, ParsedEntry } from './names.ts';
import { subjectId, unnamedItems } from './names.ts';

/** The maximum number of names in a list; the rest are counted. */
const NAMES_SHOWN = 3;
const ROOT = 'My Drive';

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

function listed(all: readonly string[], count = all.length): string {
  const shown = all.slice(0, NAMES_SHOWN).join(', ');
  return count > NAMES_SHOWN ? `${shown} and ${count - NAMES_SHOWN} more` : shown;
}

const clientNamed = (names: Names, id: unknown): string =>
  typeof id === 'number' ? (names.clients.get(id) ?? 'a deleted client') : 'no client';

/** The names of the items that an entry is about. */
function itemNames(row: ParsedEntry, names: Names): string {
  const { name, names: storedNames, chosen } = row.detail;
  if (typeof name === 'string') return name;
  const count = typeof chosen === 'number' && chosen > 0 ? chosen : undefined;
  if (Array.isArray(storedNames))
    return listed(storedNames.map(String), Math.max(count ?? 0, storedNames.length));
  const ids = unnamedItems(row);
  const present = ids.flatMap((id) => names.items.get(id) ?? []);
  const missing = ids.length - present.length;
  const deleted = missing === 0 ? [] : [missing === 1 ? 'a deleted item' : `${missing} deleted items`];
  if (ids.length === 0) return count ? plural(count, 'item') : '';
  return present.length === 0
    ? listed(deleted)
    : [listed(present, Math.max(present.length, (count ?? 0) - missing)), ...deleted].join(' and ');
}

const pathOf = (value: unknown): string => text(value) ?? ROOT;

function describeMove(row: ParsedEntry, names: Names): string {
  const { from, to, client, client_name } = row.detail;
  const linked = typeof client === 'number' ? text(client_name) || clientNamed(names, client) : undefined;
  const linkedTo = linked ? `, linked to ${linked}` : '';
  if (to === undefined) return `${itemNames(row, names)}${linkedTo}`;
  const folder = typeof to === 'number' ? (names.items.get(to) ?? 'a deleted folder') : pathOf(to);
  const before = Array.isArray(from) ? `: ${listed(from.map(pathOf))}` : '';
  return `${itemNames(row, names)}${before} → ${folder}${linkedTo}`;
}

function describeLinking(row: ParsedEntry, names: Names): string {
  const { from, to, from_name, to_name, inside } = row.detail;
  const after = text(to_name) ?? clientNamed(names, to);
  const before = 'from' in row.detail ? `: ${text(from_name) ?? clientNamed(names, from)}` : '';
  const contents = typeof inside === 'number' ? `, with ${plural(inside, 'item')} inside` : '';
  return `${itemNames(row, names)}${before} → ${after}${inside === 'all' ? ', with everything inside' : contents}`;
}

function describePayment({ detail }: ParsedEntry): string {
  const amount = typeof detail['amount_paise'] === 'number' ? formatPaise(detail['amount_paise']) : undefined;
  return [text(detail['plan']), text(detail['billing_cycle']), amount].filter(Boolean).join(', ');
}

/** `Ravi Kumar: role: Staff → Manager`. */
function describeTeamChange({
  detail: { name, role, changes, heir, items: transferred },
}: ParsedEntry): string {
  const parts = [
    text(role),
    ...(Array.isArray(changes) ? changes.map(String) : []),
    ...(typeof heir === 'string' ? [`${plural(Number(transferred), 'item')} → ${heir}`] : []),
  ].filter(Boolean);
  return [text(name), parts.join('; ')].filter(Boolean).join(': ');
}

const EVENTS_WITH_REASON = new Set([
  'document.seal',
  'document.break_seal',
  'client.hold',
  'client.lift_hold',
  'retention.remove_rule',
  'retention.exempt',
  'retention.apply',
  'retention.confirm',
  'request.return',
  'request.return_file',
  'request.unavailable',
]);

/** The reason stored in an entry, the version of the file that it is about, or the name of the file that became one. */
function reasonOrVersion({ did, detail }: ParsedEntry): string {
  // The answer that a client takes back was told before.
  const reason = detail['taken_back'] === true ? undefined : text(detail['reason']);
  if (EVENTS_WITH_REASON.has(did) && reason !== undefined) return `: ${reason}`;
  const uploadedAs = text(detail['uploaded_as']);
  if (uploadedAs !== undefined) return `, uploaded as ${uploadedAs}`;
  const versionTime = text(detail['version_of']);
  if (versionTime === undefined) return '';
  const word = text(detail['word']);
  return `, version of ${timeInWords(new Date(versionTime))}${word === undefined ? '' : `: ${word}`}`;
}

/** The document of a request for which a file came, or which was judged. */
const requestedDocument = ({ did, detail }: ParsedEntry): string =>
  did.startsWith('request.') && typeof detail['row'] === 'string' ? `, ${detail['row']}` : '';

/** What an entry is about, by the names of that time where the entry stores them. Never an id. */
export function describeSubject(row: ParsedEntry, names: Names): string {
  const { did, subject, detail } = row;
  const { name, from, to, changed, clients, created, updated, entry, into, kept_as, filters, label } = detail;
  if (did === 'export.history') return text(filters) ?? '';
  if (did === 'document.move') return describeMove(row, names);
  if (did === 'document.client') return describeLinking(row, names);
  if (did === 'label.put' || did === 'label.take') return `${itemNames(row, names)}: ${String(label)}`;
  if (did.startsWith('payments.')) return describePayment(row);
  if (did.startsWith('team.')) return describeTeamChange(row);
  if (did.startsWith('share.') && typeof to === 'string') return `${itemNames(row, names)} → ${to}`;
  if (did === 'client.import') return `${created} added, ${updated} changed`;
  if (did === 'client.export') return plural(Number(clients), 'client');
  if (typeof from === 'string' && typeof to === 'string') return `${from} → ${to}`;
  if (typeof entry === 'string') return `${entry} in ${String(name)}`;
  if (typeof into === 'string') return `${String(name)} → ${into}`;
  if (typeof kept_as === 'string') return `${String(name)}, the former one kept as ${kept_as}`;
  const described = itemNames(row, names);
  if (described) return described + requestedDocument(row) + reasonOrVersion(row);
  if (Array.isArray(changed)) return changed.map((field) => String(field).replaceAll('_', ' ')).join(', ');
  const [client] = subjectId(subject, 'client');
  if (client !== undefined) return clientNamed(names, client);
  return subject?.startsWith('plan:') ? subject.slice('plan:'.length) : '';
}

/** The details of events with paths of folders or counts of items, which a user with assigned clients may not see. */
const RESTRICTED_DETAILS: Record<string, readonly string[]> = {
  'document.move': ['from', 'to'],
  'document.delete': ['files', 'bytes'],
  'document.trash': ['files', 'bytes'],
  'document.delete_forever': ['files', 'bytes'],
  'document.expire': ['files', 'bytes'],
  'document.seal': ['files', 'bytes', 'digest'],
  'document.restore': ['folders'],
};

/** The entry for a user with assigned clients. Paths are left out, since the clients of their folders are not stored. */
export function withoutRestrictedDetails<Row extends ParsedEntry>(row: Row): Row {
  const hidden = ['parent_id', ...(RESTRICTED_DETAILS[row.did] ?? [])];
  const detail = Object.fromEntries(Object.entries(row.detail).filter(([key]) => !hidden.includes(key)));
  return { ...row, detail };
}

/** Details that `describeSubject` or another column already shows, and ids. */
const SHOWN_ELSEWHERE = new Set(
  (
    'name names ids parent_id chosen to from_name to_name client client_name entry into kept_as plan billing_cycle ' +
    'amount_paise inline changes role heir browser filters recipient link door label request row_id replaced undone'
  ).split(' '),
);

/** Details that `describeSubject` shows of these events only. */
const SHOWN_OF_EVENT: Record<string, readonly string[]> = {
  'client.export': ['clients'],
  'client.import': ['created', 'updated'],
};

/** The other details of an entry, for the CSV: `files: 3; bytes: 4096`. */
export function otherDetails({ did, detail }: ParsedEntry): string {
  const isShown = (key: string): boolean =>
    SHOWN_ELSEWHERE.has(key) ||
    SHOWN_OF_EVENT[did]?.includes(key) === true ||
    (key === 'from' && 'to' in detail);
  return Object.entries(detail)
    .filter(([key, value]) => !isShown(key) && value !== null)
    .map(
      ([key, value]) =>
        `${key.replaceAll('_', ' ')}: ${Array.isArray(value) ? value.join(', ') : String(value)}`,
    )
    .join('; ');
}
