import type { Knex } from 'knex';
import type { FilesQuery } from '../contract.ts';
import { FILE_GROUPS } from '../contract.ts';
import { IS_SENT_BACK } from '../incoming/sent-back.ts';
import { IS_UNSEEN } from '../incoming/unseen.ts';
import { BEARS_LABEL } from '../labels/of-items.ts';
import type { ParsedSearch } from '#server/search/index.ts';
import { OF_CLIENT, OF_NO_CLIENT } from '../rows.ts';
import { BOUND_IDS, checkOnly, bindList, placeholders } from '../../db/sql.ts';

/** Filter dates are days in India. */
const ZONE = '+05:30';

/** A part of a `WHERE` clause. */
export interface Condition {
  sql: string;
  bindings: Knex.RawBinding[];
}

/** A condition that an index can answer. */
export interface Filter extends Condition {
  /**
   * The same condition, in a form that one index answers alone: only files, and only of the firm if the column does
   * not imply it.
   */
  indexed: Condition;
}

/** A range of days as times, ISO 8601 UTC: `from` is inclusive, `to` exclusive. */
export interface Span {
  from: string;
  to: string;
}

const dayStart = (day: string, add = 0): string =>
  new Date(Date.parse(`${day}T00:00:00${ZONE}`) + add * 86_400_000).toISOString();

export function spanOf({ from, to }: FilesQuery): Span | null {
  if (from === undefined && to === undefined) return null;
  return { from: from ? dayStart(from) : '', to: to ? dayStart(to, 1) : '9' };
}

/**
 * The filters of a query: `indexedFilters` are answered by an index, likely the most selective first; `otherConditions`
 * are the rest.
 */
export function filtersOf(
  query: FilesQuery,
  firmId: number,
): { indexedFilters: Filter[]; otherConditions: Condition[] } {
  const { client_id, owner_id, group, label_id } = query;
  const indexedFilters: Filter[] = [];
  const otherConditions: Condition[] = [];
  const addFilter = (
    column: string,
    condition: string,
    bindings: Knex.RawBinding[],
    indexCondition: string,
    firm: number[],
  ) =>
    indexedFilters.push({
      sql: condition.replaceAll(column, checkOnly(column)),
      bindings,
      indexed: { sql: `${condition} AND ${indexCondition}`, bindings: [...bindings, ...firm] },
    });
  if (client_id === 'none') otherConditions.push({ sql: OF_NO_CLIENT, bindings: [] });
  else if (client_id !== undefined)
    addFilter('client_id', OF_CLIENT, [client_id, firmId], 'file_type IS NOT NULL', []);
  if (group !== undefined) {
    const types = FILE_GROUPS[group].split(' ');
    const condition = `file_type IN (${placeholders(types)})`;
    addFilter('file_type', condition, types, 'firm_id = ? AND file_type IS NOT NULL', [firmId]);
  }
  const span = spanOf(query);
  if (span) {
    const condition = 'modified_at >= ? AND modified_at < ?';
    addFilter('modified_at', condition, [span.from, span.to], `firm_id = ? AND type = 'file'`, [firmId]);
  }
  if (label_id !== undefined)
    indexedFilters.push({
      sql: checkOnly(BEARS_LABEL),
      bindings: [label_id, firmId],
      indexed: { sql: `${BEARS_LABEL} AND file_type IS NOT NULL`, bindings: [label_id, firmId] },
    });
  const marked = [query.new !== undefined && IS_UNSEEN, query.sent_back !== undefined && IS_SENT_BACK];
  for (const condition of marked)
    if (condition)
      indexedFilters.push({
        sql: checkOnly(condition),
        bindings: [firmId],
        indexed: { sql: `${condition} AND file_type IS NOT NULL`, bindings: [firmId] },
      });
  // An owner belongs to one firm; the rows read are checked for the firm anyway.
  if (owner_id !== undefined) addFilter('owner_id', 'owner_id = ?', [owner_id], 'file_type IS NOT NULL', []);
  return { indexedFilters, otherConditions };
}

/** The filters typed in a search, in the same form. */
export function typedFiltersOf(
  conditions: ParsedSearch['conditions'],
  firmId: number,
): { indexedFilters: Filter[]; otherConditions: Condition[] } {
  const indexedFilters: Filter[] = [];
  const otherConditions: Condition[] = [];
  for (const { condition, indexed } of conditions) {
    const unindexed = condition(checkOnly);
    const { sql, bindings } = condition((column) => column);
    if (indexed)
      indexedFilters.push({
        ...unindexed,
        indexed: { sql: `firm_id = ? AND ${sql} AND file_type IS NOT NULL`, bindings: [firmId, ...bindings] },
      });
    else otherConditions.push(unindexed);
  }
  return { indexedFilters, otherConditions };
}

/** Files of any of these clients. */
export function ofOneOf(clients: Iterable<number>): Filter {
  const sql = (column: string) => `${column} IN (${BOUND_IDS})`;
  const bindings = [bindList(clients)];
  const indexCondition = `${sql('client_id')} AND file_type IS NOT NULL`;
  return { sql: sql(checkOnly('client_id')), bindings, indexed: { sql: indexCondition, bindings } };
}

/** The conjunction of the conditions. */
export const all = (conditions: readonly Condition[]): Condition => ({
  sql: conditions.map(({ sql }) => sql).join(' AND ') || 'true',
  bindings: conditions.flatMap(({ bindings }) => bindings),
});
