import type { Knex } from 'knex';
import { EACH, checkOnly, list } from '#server/db/sql.ts';
import type { FirmViewer } from '#server/visibility/visible.ts';
import { isVisible, isVisibleClient, only } from '#server/visibility/visible.ts';

/** What a row says beside its words, as it was written. */
export type Detail = Record<string, unknown>;

export interface Noted {
  did: string;
  subject: string | null;
  detail: Detail;
}

/** Names of items and clients that rows give by id only, as those before 22 November 2026 do; null for what is gone. */
export interface Names {
  items: Map<number, string | null>;
  clients: Map<number, string | null>;
}

export const noNames = (): Names => ({ items: new Map(), clients: new Map() });

const numbers = (value: unknown): number[] =>
  (Array.isArray(value) ? value : [value]).filter((one): one is number => typeof one === 'number');

/** The id in `item:17`, for `item`. */
export function subjectId(subject: string | null, kind: 'item' | 'client'): number[] {
  const [of, id] = subject?.split(':') ?? [];
  return of === kind && Number.isSafeInteger(Number(id)) ? [Number(id)] : [];
}

/** The chosen items of a row that does not name them. */
export const unnamedItems = ({ subject, detail }: Noted): number[] =>
  typeof detail['name'] === 'string' || Array.isArray(detail['names'])
    ? []
    : [...new Set([...numbers(detail['ids']), ...subjectId(subject, 'item')])];

/** The items that a row names by id. */
export const itemsIn = ({ subject, detail }: Noted): number[] => [
  ...numbers(detail['ids']),
  ...subjectId(subject, 'item'),
];

/** The clients that a row names by id; null for none, where it says that something is tied to nobody. */
export const clientsIn = ({ did, subject, detail }: Noted): (number | null)[] => [
  ...(did === 'document.client' ? ['from', 'to'].flatMap((key) => clientAt(detail, key)) : []),
  ...numbers(detail['client']),
  ...subjectId(subject, 'client'),
];
const clientAt = (detail: Detail, key: string): (number | null)[] =>
  detail[key] === null ? [null] : numbers(detail[key]);

/** Those of them whose names the row does not have. */
const unnamedClients = (row: Noted): number[] =>
  clientsIn(row).filter(
    (id) =>
      id !== null && !(typeof row.detail['name'] === 'string' && subjectId(row.subject, 'client')[0] === id),
  ) as number[];

const foldersIn = ({ did, detail }: Noted): number[] =>
  did === 'document.move' ? numbers(detail['to']) : [];

/**
 * Adds the names that these rows need, as far as the actor sees what they name, and those of `clients`. A name that is
 * known stays, so that a text made twice is the same.
 */
export async function learn(
  db: Knex,
  actor: FirmViewer,
  rows: readonly Noted[],
  names: Names,
  clients: readonly number[],
): Promise<void> {
  const wanted = {
    items: rows.flatMap((row) => [...unnamedItems(row), ...foldersIn(row)]),
    clients: [...rows.flatMap(unnamedClients), ...clients],
  };
  for (const table of ['items', 'clients'] as const) {
    const known = names[table];
    const ids = [...new Set(wanted[table])].filter((id) => !known.has(id));
    if (ids.length === 0) continue;
    const seen = table === 'items' ? isVisible(actor) : isVisibleClient(actor);
    const found: { id: number; name: string }[] = await only(db(table), seen)
      .whereRaw(`id IN (${EACH}) AND ${checkOnly('firm_id')} = ?`, [list(ids), actor.firmId])
      .select('id', 'name');
    for (const id of ids) known.set(id, null);
    for (const { id, name } of found) known.set(id, name);
  }
}
