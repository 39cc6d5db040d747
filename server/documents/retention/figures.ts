import type { Knex } from 'knex';
import { queryRow, queryRows } from '#server/db/sql.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import type { FirmViewer } from '#server/visibility/visible.ts';
import type { RuleFigures, RuleReach } from './contract.ts';
import { keptTable } from './files.ts';
import type { Rule } from './rules.ts';
import { NO_DAY, rulesOf } from './rules.ts';

interface Row {
  rule: number;
  files: number;
  bytes: number;
  run_out: number;
  undated: number;
}

const figures = (rows: readonly Row[]): RuleFigures => {
  const sum = (of: keyof Row) => rows.reduce((all, row) => all + Number(row[of]), 0);
  const bytes = sum('bytes');
  return {
    files: sum('files'),
    bytes,
    formatted_bytes: formatBytes(bytes),
    run_out: sum('run_out'),
    undated: sum('undated'),
  };
};

/** The files that a rule would keep. */
export async function reachOf(db: Knex, actor: FirmViewer, rule: Rule): Promise<RuleReach> {
  const { sql, bindings } = await keptTable(db, actor, [rule]);
  const row = await queryRow<RuleReach>(db, `${sql} SELECT count(*) AS files FROM kept`, bindings);
  return { files: Number(row!.files) };
}

/** Totals per rule of the files that the actor sees; each file counts for the rule that keeps it longest. */
export async function figuresOf(
  db: Knex,
  actor: FirmViewer,
  today: string,
): Promise<{ byRule: Map<number, RuleFigures>; total: RuleFigures }> {
  const rules = await rulesOf(db, actor.firmId);
  if (rules.length === 0) return { byRule: new Map(), total: figures([]) };
  const { sql, bindings } = await keptTable(db, actor, rules);
  const rows = await queryRows<Row>(
    db,
    `${sql} SELECT k.rule, count(*) AS files, coalesce(sum(i.file_size), 0) AS bytes,
       sum(CASE WHEN k.until < ? THEN 1 ELSE 0 END) AS run_out, sum(CASE WHEN k.until = '${NO_DAY}' THEN 1 ELSE 0 END) AS undated
     FROM kept k CROSS JOIN items i ON i.id = k.id GROUP BY k.rule`,
    [...bindings, today],
  );
  return { byRule: new Map(rows.map((row) => [rules[row.rule]!.id, figures([row])])), total: figures(rows) };
}
