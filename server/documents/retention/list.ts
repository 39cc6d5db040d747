import type { Knex } from 'knex';
import { decodeCursor, encodeCursor, text, whole } from '#server/http/cursor.ts';
import { positionOf, queryRow, queryRows } from '#server/db/sql.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import { nameKey } from '#server/text/file-names.ts';
import type { FirmViewer } from '#server/visibility/visible.ts';
import { visibleParent } from '#server/visibility/visible.ts';
import { isUnderLegalHold } from '../legal-holds/guard.ts';
import { sealOver } from '../seals/guard.ts';
import { paths } from '../tree.ts';
import type { KeptFile, KeptPage, KeptQuery } from './contract.ts';
import { keptTable } from './files.ts';
import { NO_DAY, rulesOf } from './rules.ts';

const PAGE = 60;

interface Row {
  id: number;
  name: string;
  file_type: string;
  parent_id: number | null;
  client_id: number | null;
  client_name: string | null;
  bytes: number;
  rule: number;
  until: string;
  held: number;
  sealed: number | null;
}

/** A page of the files under a rule that the actor sees, earliest expiry first. */
export async function listKept(
  db: Knex,
  actor: FirmViewer,
  query: KeptQuery,
  today: string,
): Promise<KeptPage> {
  const { state = 'kept', rule, client_id, search = '', limit = PAGE, cursor } = query;
  const rules = await rulesOf(db, actor.firmId);
  const ruleIndex = rule === undefined ? null : rules.findIndex(({ id }) => id === rule);
  if (rules.length === 0 || ruleIndex === -1) return { items: [], next_cursor: null, total: 0 };
  const table = await keptTable(db, actor, rules);
  const where = [
    state === 'undated' ? `k.until = '${NO_DAY}'` : `k.until ${state === 'run_out' ? '<' : '>='} ?`,
  ];
  const bindings: Knex.RawBinding[] = [...table.bindings, ...(state === 'undated' ? [] : [today])];
  if (state === 'kept') where.push(`k.until <> '${NO_DAY}'`);
  if (ruleIndex !== null) where.push(`k.rule = ${ruleIndex}`);
  if (client_id !== undefined) {
    where.push('i.scope_client_id = ?');
    bindings.push(client_id);
  }
  for (const word of nameKey(search)
    .split(/[\s\p{Cc}]+/u)
    .filter(Boolean)) {
    where.push(`${positionOf('?', 'i.name_key')} > 0`);
    bindings.push(word);
  }
  const from = `FROM kept k CROSS JOIN items i ON i.id = k.id WHERE ${where.join(' AND ')}`;
  const first = cursor === undefined;
  const total = first
    ? Number((await queryRow<{ n: number }>(db, `${table.sql} SELECT count(*) AS n ${from}`, bindings))!.n)
    : null;
  const after: Knex.RawBinding[] = [];
  if (!first) {
    const [, day, id] = decodeCursor(cursor, [state, text, whole]);
    after.push(day, id);
  }
  const rows = await queryRows<Row>(
    db,
    `${table.sql} SELECT i.id, i.name, i.file_type, ${visibleParent(actor, 'i')} AS parent_id, i.file_size AS bytes,
       c.id AS client_id, c.name AS client_name, page.rule, page.until,
       CASE WHEN ${isUnderLegalHold('i.scope_client_id')} THEN 1 ELSE 0 END AS held, ${sealOver('i')} AS sealed
     FROM (SELECT k.id, k.rule, k.until ${from}${first ? '' : ' AND (k.until, k.id) > (?, ?)'} ORDER BY k.until, k.id LIMIT ?) AS page
     CROSS JOIN items i ON i.id = page.id LEFT JOIN clients c ON c.id = i.scope_client_id AND c.firm_id = i.firm_id
     ORDER BY page.until, page.id`,
    [...bindings, ...after, limit + 1],
  );
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1)! : null;
  const folderPaths = await paths(db, actor, [...new Set(page.map(({ parent_id }) => parent_id))]);
  return {
    items: page.map(({ held, sealed, until, rule: index, bytes, ...row }): KeptFile => ({
      ...row,
      path: folderPaths.get(row.parent_id ?? 0) ?? '',
      bytes: Number(bytes),
      formatted_bytes: formatBytes(Number(bytes)),
      rule_id: rules[index]!.id,
      rule: rules[index]!.name,
      until: until === NO_DAY ? null : until,
      stays: held === 1 ? 'held' : sealed === null ? null : 'sealed',
    })),
    next_cursor: last && encodeCursor([state, last.until, last.id]),
    total,
  };
}
