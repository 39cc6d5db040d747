import { placeholders } from '#server/db/sql.ts';
import type { FirmSecrets, Hashed } from './sealed.ts';

/** What is looked for: one of these types, and of one of these years. */
export interface FieldFilter {
  /** Keys of `DOCUMENT_TYPES`; left out, of any. */
  types?: readonly string[];
  /** In which the financial year began: 2025 for FY 2025-26; left out, of any. */
  years?: readonly number[];
}

/** A condition on the items `i` of one firm, with what it is bound to; what people said goes before what was read. */
export interface FieldCondition {
  sql: string;
  bindings: string[];
}

function one(what: Hashed, hashes: readonly string[]): FieldCondition {
  const column = `${what}_hash`;
  const said = `SELECT 1 FROM field_answers a WHERE a.item_id = i.id AND a.sha256 = i.sha256 AND a.${column}`;
  const among = `IN (${placeholders(hashes)})`;
  return {
    sql: `(EXISTS (${said} ${among}) OR EXISTS (
      SELECT 1 FROM document_fields f WHERE f.firm_id = i.firm_id AND f.sha256 = i.sha256 AND f.${column} ${among}
    ) AND NOT EXISTS (${said} IS NOT NULL))`,
    bindings: [...hashes, ...hashes],
  };
}

const HASHES = { types: 'type', years: 'year' } as const;

/**
 * Selects the ids of a firm's items of one of these types, or of one of these years; with null those of which any is
 * known. Led by what is known, however many other items there are.
 */
export function selectionOf(
  firmId: number,
  what: keyof typeof HASHES,
  values: readonly (string | number)[] | null,
  { hash }: FirmSecrets,
): { sql: string; bindings: (string | number)[] } {
  const column = `${HASHES[what]}_hash`;
  const hashes = values?.map((value) => hash(HASHES[what], value)) ?? [];
  const fits = values === null ? `${column} <> ''` : `${column} IN (${placeholders(hashes)})`;
  return {
    sql: `SELECT i.id FROM document_fields f CROSS JOIN items i
        WHERE f.firm_id = ? AND f.${fits} AND i.firm_id = f.firm_id AND i.sha256 = f.sha256 AND NOT EXISTS (
          SELECT 1 FROM field_answers a WHERE a.item_id = i.id AND a.sha256 = i.sha256 AND a.${column} IS NOT NULL)
      UNION ALL SELECT i.id FROM field_answers a CROSS JOIN items i
        WHERE a.firm_id = ? AND a.${fits} AND i.id = a.item_id AND i.sha256 = a.sha256`,
    bindings: [firmId, ...hashes, firmId, ...hashes],
  };
}

export function conditionOf({ types, years }: FieldFilter, { hash }: FirmSecrets): FieldCondition {
  const parts = [
    types &&
      one(
        'type',
        types.map((type) => hash('type', type)),
      ),
    years &&
      one(
        'year',
        years.map((year) => hash('year', year)),
      ),
  ].filter((part) => part !== undefined);
  return {
    sql: parts.length === 0 ? 'true' : parts.map(({ sql }) => sql).join(' AND '),
    bindings: parts.flatMap(({ bindings }) => bindings),
  };
}
