import { placeholders } from '#server/db/sql.ts';
import { andReadable } from '#server/visibility/readable.ts';
import type { FirmViewer } from '#server/visibility/visible.ts';
import type { FirmSecrets, HashDomain } from './sealed.ts';

/** A filter: one of these types, and one of these years. */
export interface FieldFilter {
  /** Keys of `DOCUMENT_TYPES`; any type where left out. */
  types?: readonly string[];
  /** Years in which the financial year began: 2025 for FY 2025-26; any year where left out. */
  years?: readonly number[];
}

/** An SQL condition on a firm's items `i`, with its bindings; answers override what was read. */
export interface FieldCondition {
  sql: string;
  bindings: string[];
}

function hasValue(domain: HashDomain, hashes: readonly string[]): FieldCondition {
  const column = `${domain}_hash`;
  const answers = `SELECT 1 FROM field_answers a WHERE a.item_id = i.id AND a.sha256 = i.sha256 AND a.${column}`;
  const inHashes = `IN (${placeholders(hashes)})`;
  return {
    sql: `(EXISTS (${answers} ${inHashes}) OR EXISTS (
      SELECT 1 FROM document_fields f WHERE f.firm_id = i.firm_id AND f.sha256 = i.sha256 AND f.${column} ${inHashes}
    ) AND NOT EXISTS (${answers} IS NOT NULL))`,
    bindings: [...hashes, ...hashes],
  };
}

const HASHES = { types: 'type', years: 'year' } as const;

/**
 * Selects the ids of a firm's items with one of these types or years; of all with a known one for null. Visibility is up
 * to the caller, except that a content which stays locked for the actor has no known type and year. The query
 * starts from the recognised values, so its cost does not depend on the number of other items.
 */
export function selectionOf(
  actor: FirmViewer,
  what: keyof typeof HASHES,
  values: readonly (string | number)[] | null,
  { hash }: FirmSecrets,
): { sql: string; bindings: (string | number)[] } {
  const column = `${HASHES[what]}_hash`;
  const hashes = values?.map((value) => hash(HASHES[what], value)) ?? [];
  const matches = values === null ? `${column} <> ''` : `${column} IN (${placeholders(hashes)})`;
  return {
    sql: `SELECT i.id FROM document_fields f CROSS JOIN items i
        WHERE f.firm_id = ? AND f.${matches}${andReadable(actor, 'f.sha256')} AND i.firm_id = f.firm_id AND i.sha256 = f.sha256 AND NOT EXISTS (
          SELECT 1 FROM field_answers a WHERE a.item_id = i.id AND a.sha256 = i.sha256 AND a.${column} IS NOT NULL)
      UNION ALL SELECT i.id FROM field_answers a CROSS JOIN items i
        WHERE a.firm_id = ? AND a.${matches}${andReadable(actor, 'a.sha256')} AND i.id = a.item_id AND i.sha256 = a.sha256`,
    bindings: [actor.firmId, ...hashes, actor.firmId, ...hashes],
  };
}

export function conditionOf({ types, years }: FieldFilter, { hash }: FirmSecrets): FieldCondition {
  const parts = [
    types &&
      hasValue(
        'type',
        types.map((type) => hash('type', type)),
      ),
    years &&
      hasValue(
        'year',
        years.map((year) => hash('year', year)),
      ),
  ].filter((part) => part !== undefined);
  return {
    sql: parts.length === 0 ? 'true' : parts.map(({ sql }) => sql).join(' AND '),
    bindings: parts.flatMap(({ bindings }) => bindings),
  };
}
