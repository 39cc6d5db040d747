import type { Knex } from 'knex';
import { BOUND_IDS, checkOnly, bindList } from '#server/db/sql.ts';
import type { FirmViewer } from '#server/visibility/visible.ts';
import { isVisible, isVisibleClient, only } from '#server/visibility/visible.ts';

/** The details of an entry, as stored. */
export type Detail = Record<string, unknown>;

/** An entry with its details parsed. */
export interface ParsedEntry {
  did: string;
  subject: string | null;
  detail: Detail;
}

/** Names of items and clients of which entries store only the id, as before 22 November 2026; null for deleted ones. */
export interface Names {
  items: Map<number, string | null>;
  clients: Map<number, string | null>;
}

export const noNames = (): Names => ({ items: new Map(), clients: new Map() });

const numbersIn = (value: unknown): number[] =>
  (Array.isArray(value) ? value : [value]).filter((element) => typeof element === 'number');

/** The id in `item:17`, for `item`. */
export function subjectId(subject: string | null, kind: 'item' | 'client'): number[] {
  const [subjectKind, id] = subject?.split(':') ?? [];
  return subjectKind === kind && Number.isSafeInteger(Number(id)) ? [Number(id)] : [];
}

/** The items of an entry that stores their ids but not their names. */
export const unnamedItems = ({ subject, detail }: ParsedEntry): number[] =>
  typeof detail['name'] === 'string' || Array.isArray(detail['names'])
    ? []
    : [...new Set([...numbersIn(detail['ids']), ...subjectId(subject, 'item')])];

/** The items whose ids an entry stores. */
export const itemsIn = ({ subject, detail }: ParsedEntry): number[] => [
  ...numbersIn(detail['ids']),
  ...subjectId(subject, 'item'),
];

/** The clients whose ids an entry stores; null where items were linked to no client. */
export const clientsIn = ({ did, subject, detail }: ParsedEntry): (number | null)[] => [
  ...(did === 'document.client' ? ['from', 'to'].flatMap((key) => clientAt(detail, key)) : []),
  ...numbersIn(detail['client']),
  ...subjectId(subject, 'client'),
];
const clientAt = (detail: Detail, key: string): (number | null)[] =>
  detail[key] === null ? [null] : numbersIn(detail[key]);

/** The clients of an entry whose names it does not store. */
const unnamedClients = (row: ParsedEntry): number[] =>
  clientsIn(row).filter(
    (id) =>
      id !== null && !(typeof row.detail['name'] === 'string' && subjectId(row.subject, 'client')[0] === id),
  ) as number[];

const foldersIn = ({ did, detail }: ParsedEntry): number[] =>
  did === 'document.move' ? numbersIn(detail['to']) : [];

/**
 * Adds to `names` the items and clients of the rows, and `clients`, as far as the actor sees them. Loaded names are not
 * loaded again, so that a text generated twice is the same.
 */
export async function loadNames(
  db: Knex,
  actor: FirmViewer,
  rows: readonly ParsedEntry[],
  names: Names,
  clients: readonly number[],
): Promise<void> {
  const needed = {
    items: rows.flatMap((row) => [...unnamedItems(row), ...foldersIn(row)]),
    clients: [...rows.flatMap(unnamedClients), ...clients],
  };
  for (const table of ['items', 'clients'] as const) {
    const loaded = names[table];
    const ids = [...new Set(needed[table])].filter((id) => !loaded.has(id));
    if (ids.length === 0) continue;
    const visible = table === 'items' ? isVisible(actor) : isVisibleClient(actor);
    const rowsWithNames: { id: number; name: string }[] = await only(db(table), visible)
      .whereRaw(`id IN (${BOUND_IDS}) AND ${checkOnly('firm_id')} = ?`, [bindList(ids), actor.firmId])
      .select('id', 'name');
    for (const id of ids) loaded.set(id, null);
    for (const { id, name } of rowsWithNames) loaded.set(id, name);
  }
}
