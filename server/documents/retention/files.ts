import type { Knex } from 'knex';
import { dayInIndia } from '#server/db/days.ts';
import { queryRow } from '#server/db/sql.ts';
import type { FirmViewer } from '#server/visibility/visible.ts';
import { andVisible } from '#server/visibility/visible.ts';
import { everything, lastDayOf, longestOf, needTree, ofClient, onRow } from './rules.ts';
import type { Rule } from './rules.ts';

/** A `WITH` clause that defines `kept`, and its bindings. */
interface KeptTable {
  sql: string;
  bindings: Knex.RawBinding[];
}

/**
 * `kept(id, bits, until, rule)`: every file of the firm that is under a rule and visible to the actor; `rule` is the
 * index in `rules` of the one that keeps it longest. The folder tree is traversed only when the firm has rules on folders
 * or labels, entered days or exemptions.
 */
export async function keptTable(db: Knex, actor: FirmViewer, rules: readonly Rule[]): Promise<KeptTable> {
  const { firmId } = actor;
  const marks = await queryRow(db, 'SELECT 1 AS one FROM retention_marks WHERE firm_id = ? LIMIT 1', [
    firmId,
  ]);
  const walked = needTree(rules) || marks !== undefined;
  const tree = `tree(id, bits, said, exempt) AS (
      SELECT i.id, ${onRow(rules, 'i')}, m.counts_from, m.exempt_reason
      FROM items i LEFT JOIN retention_marks m ON m.item_id = i.id
      WHERE i.firm_id = ? AND i.parent_id IS NULL AND i.file_type IS NULL
      UNION ALL
      SELECT i.id, tree.bits | ${onRow(rules, 'i')}, coalesce(m.counts_from, tree.said), coalesce(m.exempt_reason, tree.exempt)
      FROM tree CROSS JOIN items i ON i.parent_id = tree.id AND i.file_type IS NULL
      LEFT JOIN retention_marks m ON m.item_id = i.id
    ), `;
  const above = (column: string, without: string) =>
    walked ? `coalesce(tree.${column}, ${without})` : without;
  const bits = `(${above('bits', '0')} | ${walked ? onRow(rules, 'i') : '0'} | ${everything(rules)} | ${ofClient(rules, 'i.scope_client_id')})`;
  const enteredDay = walked ? 'coalesce(m.counts_from, tree.said)' : 'NULL';
  const covered = `covered(id, bits, said, put) AS (
      SELECT i.id, ${bits}, ${enteredDay}, ${dayInIndia('i.modified_at')}
      FROM items i ${walked ? 'LEFT JOIN tree ON tree.id = i.parent_id LEFT JOIN retention_marks m ON m.item_id = i.id' : ''}
      WHERE i.firm_id = ? AND i.type = 'file'${walked ? ' AND m.exempt_reason IS NULL AND tree.exempt IS NULL' : ''}${andVisible(actor, 'i')}
    )`;
  const dated = `dated AS MATERIALIZED (
      SELECT id, bits, said, put, ${lastDayOf(rules, 'bits', 'put', 'said')} AS until FROM covered WHERE bits <> 0
    ), kept AS MATERIALIZED (SELECT id, bits, until, ${longestOf(rules, 'bits', 'put', 'said', 'until')} AS rule FROM dated)`;
  return {
    sql: `WITH RECURSIVE ${walked ? tree : ''}${covered}, ${dated} `,
    bindings: walked ? [firmId, firmId] : [firmId],
  };
}
