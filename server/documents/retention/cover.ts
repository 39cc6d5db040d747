import type { Knex } from 'knex';
import { BOUND_IDS, checkOnly, bindList, queryRows } from '#server/db/sql.ts';
import { dayInIndia } from '#server/text/day-in-india.ts';
import type { KeptMark } from './contract.ts';
import { lastDay } from './day.ts';
import type { Rule } from './rules.ts';
import { everything, ofClient, onRow, rulesIn } from './rules.ts';

/** The rules, day and exemption that apply to an item, collected from the item and the folders above. */
export interface Cover {
  id: number;
  /** Bit set of the rules on the item, on folders above and on everything; see `rulesOf`. */
  place: number;
  /** Bit set of the rules for its client's type. */
  client: number;
  /** The day entered for the item or the nearest folder above. */
  said: string | null;
  /** The reason for the exemption of the item or the nearest folder above; null without one. */
  exempt: string | null;
  type: string;
  name: string;
  modified_at: string;
}

/** The cover of each of these items, live or in Trash. */
export async function coversOf(
  db: Knex,
  rules: readonly Rule[],
  firmId: number,
  ids: Iterable<number>,
): Promise<Map<number, Cover>> {
  const rows = await queryRows<Cover>(
    db,
    `WITH RECURSIVE up(start, parent_id, bits, said, exempt) AS (
       SELECT i.id, i.parent_id, ${onRow(rules, 'i')}, m.counts_from, m.exempt_reason
       FROM item_rows i LEFT JOIN retention_marks m ON m.item_id = i.id
       WHERE i.id IN (${BOUND_IDS}) AND ${checkOnly('i.firm_id')} = ?
       UNION ALL
       SELECT up.start, a.parent_id, up.bits | ${onRow(rules, 'a')}, coalesce(up.said, m.counts_from),
         coalesce(up.exempt, m.exempt_reason)
       FROM up CROSS JOIN item_rows a ON a.id = up.parent_id LEFT JOIN retention_marks m ON m.item_id = a.id
     )
     SELECT x.id, x.type, x.name, x.modified_at, up.bits | ${everything(rules)} AS place,
       ${ofClient(rules, 'x.scope_client_id')} AS client, up.said, up.exempt
     FROM up CROSS JOIN item_rows x ON x.id = up.start WHERE up.parent_id IS NULL`,
    [bindList(ids), firmId],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** The rules that keep a file, longest retention first; empty when the file is exempt. */
export function marksOf(rules: readonly Rule[], cover: Cover, today: string): (KeptMark & { of: Rule })[] {
  if (cover.exempt !== null) return [];
  const uploadDay = dayInIndia(new Date(cover.modified_at));
  return rules
    .filter(
      (rule) => rulesIn(rules, cover.place).includes(rule) || rulesIn(rules, cover.client).includes(rule),
    )
    .map((rule) => {
      const until = lastDay(rule, { uploadDay, enteredDay: cover.said });
      return { rule_id: rule.id, rule: rule.name, until, run_out: until !== null && until < today, of: rule };
    })
    .toSorted((a, b) => (b.until ?? '9').localeCompare(a.until ?? '9') || a.rule_id - b.rule_id);
}
