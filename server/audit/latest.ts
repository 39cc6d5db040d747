import type { Knex } from 'knex';
import type { FirmViewer } from '#server/visibility/visible.ts';
import { isVisibleEntry, only } from '#server/visibility/visible.ts';

/** Who did something last, and when. */
export interface Latest {
  userId: number | null;
  /** Null when nobody was signed in. */
  who: string | null;
  /** ISO 8601, UTC. */
  at: string;
}

/** The latest of these events of an item or a client that the actor sees; null if there is none. */
export async function latestAbout(
  db: Knex,
  actor: FirmViewer,
  { kind, refs, did }: { kind: 'item' | 'client'; refs: readonly number[]; did: readonly string[] },
): Promise<Latest | null> {
  const entries = db('audit_links as about')
    .join('audit_events', 'audit_events.id', 'about.event_id')
    .leftJoin('users as u', 'u.id', 'audit_events.user_id')
    .where({ 'about.kind': kind, 'audit_events.firm_id': actor.firmId })
    .whereIn('about.ref', refs)
    .whereIn('audit_events.did', did)
    .orderBy('audit_events.id', 'desc');
  const row: { user_id: number | null; name: string | null; at: string } | undefined = await only(
    entries,
    isVisibleEntry(actor),
  ).first('audit_events.user_id', 'u.name', 'audit_events.at');
  return row ? { userId: row.user_id, who: row.name, at: row.at } : null;
}

/** The latest of these events of each of these items that the actor sees, by item; an item without one is left out. */
export async function latestOfItems(
  db: Knex,
  actor: FirmViewer,
  { items, did }: { items: readonly number[]; did: readonly string[] },
): Promise<Map<number, Latest>> {
  if (items.length === 0) return new Map();
  const newest = db('audit_links as about')
    .join('audit_events', 'audit_events.id', 'about.event_id')
    .where({ 'about.kind': 'item', 'audit_events.firm_id': actor.firmId })
    .whereIn('about.ref', items)
    .whereIn('audit_events.did', did)
    .groupBy('about.ref')
    .select('about.ref as item')
    .max({ event: 'audit_events.id' });
  const rows: { item: number; user_id: number | null; name: string | null; at: string }[] = await db
    .from(only(newest, isVisibleEntry(actor)).as('newest'))
    .join('audit_events as e', 'e.id', 'newest.event')
    .leftJoin('users as u', 'u.id', 'e.user_id')
    .select('newest.item', 'e.user_id', 'u.name', 'e.at');
  return new Map(rows.map(({ item, user_id, name, at }) => [item, { userId: user_id, who: name, at }]));
}

/** An entry with its details. */
export interface Detailed {
  id: number;
  did: string;
  /** ISO 8601, UTC. */
  at: string;
  detail: Record<string, unknown>;
}

/** These events of a client whose details begin with this fact, such as the request that they are about; newest first. */
export async function detailsAbout(
  db: Knex,
  firmId: number,
  { client, did, fact }: { client: number; did: readonly string[]; fact: Record<string, number> },
): Promise<Detailed[]> {
  const rows: (Omit<Detailed, 'detail'> & { detail: string })[] = await db('audit_links as about')
    .join('audit_events', 'audit_events.id', 'about.event_id')
    .where({ 'about.kind': 'client', 'about.ref': client, 'audit_events.firm_id': firmId })
    .whereIn('audit_events.did', did)
    .where('audit_events.detail', 'like', `${JSON.stringify(fact).slice(0, -1)},%`)
    .orderBy('audit_events.id', 'desc')
    .select('audit_events.id', 'audit_events.did', 'audit_events.at', 'audit_events.detail');
  return rows.map((row) => ({ ...row, detail: JSON.parse(row.detail) as Detailed['detail'] }));
}

/** Which of these items users of the firm have changed or read, as far as that is recorded; what others do by links does not count. */
export async function touchedByUsers(db: Knex, items: readonly number[]): Promise<Set<number>> {
  const rows: number[] = await db('audit_links as about')
    .join('audit_events', 'audit_events.id', 'about.event_id')
    .where({ 'about.kind': 'item' })
    .whereIn('about.ref', items)
    .whereNotNull('audit_events.user_id')
    .distinct('about.ref')
    .pluck('about.ref');
  return new Set(rows);
}
