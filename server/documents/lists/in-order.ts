import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { checkOnly, keptOrder, queryManyRows, queryRow, queryRows } from '#server/db/sql.ts';
import { inScope, isVisible, seesAll } from '#server/visibility/visible.ts';
import * as usage from '../../records/usage.ts';
import type { Condition } from './filters.ts';
import { all } from './filters.ts';
import type { Place, Question, Row } from './file-query.ts';

/** Files of a firm that are passed by to find a person's among them, before it is weighed what else to do. */
const NEAR = 5000;
/** To pass a file by costs so many times what it costs to gather one of the person's own. */
const DEARER = 3;
/** Where the person's files stand so many times thinner than on average they are not looked for any further. */
const THINNER = 4;

/** All files of a person who sees only some, as one index leads to them. */
export const ownFiles = (actor: Actor): Condition => ({
  sql: `firm_id = ? AND ${inScope(actor, '')} AND file_type IS NOT NULL`,
  bindings: [actor.firmId],
});

/** The first of the next so many files in their order that the filters let through, and where those files end. */
interface Looked {
  rows: Row[];
  last: Place | null;
  /** Whether so many files were there, or enough of them matched. */
  filled: boolean;
}

/**
 * Looks through the next so many files in their order that the actor sees, for those that the filters let through.
 *
 * A person's own are looked for among the firm's, since these are in order already. Where that takes too long, theirs are
 * gathered and sorted.
 */
export async function look(db: Knex, question: Question, passed: number, most: number): Promise<Looked> {
  const { actor, narrow, wide, named } = question;
  const lookIn = (from: Source): Promise<Looked> => lookFrom(db, question, from, passed, most);
  if (seesAll(actor)) return lookIn(firmsFiles(question));
  const near = filesNear(question, NEAR);
  const rows = await rowsFrom(db, question, near, passed, most);
  const full = filledBy(question, rows, passed, most);
  if (full) return full;
  const wanted = named || narrow.length + wide.length > 0 ? passed : most;
  const own = (await usage.total(db, actor)).files;
  const firms = (await usage.total(db, { ...actor, clientScope: 'all' })).files;
  const expected = Math.ceil((wanted * firms) / Math.max(own, 1));
  if (expected <= NEAR) {
    const last = await lastFrom(db, question, near, passed);
    if (last) return { rows, last, filled: true };
  }
  if (THINNER * expected > NEAR && DEARER * expected < own) {
    const far = await lookIn(filesNear(question, THINNER * expected));
    if (far.filled) return far;
  }
  if (named) return lookIn(gathered(question));
  // All of it is read anyway, so what does not match is left out before the rest is sorted.
  const found = await rowsOfOwn(db, question, most);
  return { rows: found, last: null, filled: true };
}

/** What stands behind `FROM`, rows in their order. */
type Source = Condition;

const orderOf = ({ direction }: Question, column: string): string =>
  `${column} ${direction}, id ${direction}`;

function firmsFiles(question: Question): Source {
  const { firmId, column } = question;
  const files: Condition = { sql: `firm_id = ? AND type = 'file'`, bindings: [firmId] };
  const { sql, bindings } = all([files, reach(question)]);
  return { sql: `items WHERE ${sql} ORDER BY ${orderOf(question, column)}`, bindings };
}

/** What the actor sees of the next so many files of the firm. */
function filesNear(question: Question, most: number): Source {
  const { sql, bindings } = firmsFiles(question);
  const columns = new Set(['id', question.column, ...filteredBy(question), 'scope_client_id']);
  // What the actor does not see is not passed either: a short page would tell of it.
  const seen = isVisible(question.actor, 'near');
  return {
    sql: `(SELECT ${[...columns].join(', ')} FROM ${sql} LIMIT ${most}) AS near WHERE ${seen}${keptOrder(orderOf(question, question.column))}`,
    bindings,
  };
}

/** The person's own that these conditions let through, gathered and sorted. */
function gathered(question: Question, asked: readonly Condition[] = []): Source {
  const { actor, direction } = question;
  const column = checkOnly(question.column);
  const { sql, bindings } = all([ownFiles(actor), ...asked, reach({ ...question, column })]);
  return {
    sql: `items WHERE ${sql} ORDER BY ${column} ${direction}, ${checkOnly('id')} ${direction}`,
    bindings,
  };
}

function rowsOfOwn(db: Knex, question: Question, most: number): Promise<Row[]> {
  const { narrow, wide, column } = question;
  const { sql, bindings } = gathered(question, [...narrow, ...wide]);
  return queryRows<Row>(db, `SELECT id, ${column} AS value FROM ${sql} LIMIT ${most}`, bindings);
}

/** What filters ask of; the orders' indexes hold all of it. */
const FILTERED = ['file_type', 'client_id', 'owner_id', 'modified_at'];

/** What the filters of a search may ask besides; then the rows themselves are read. */
const SELDOM = ['scope_client_id', 'sha256'];

const filteredBy = ({ narrow, wide }: Question): string[] => [
  ...FILTERED,
  ...SELDOM.filter((column) => [...narrow, ...wide].some(({ sql }) => sql.includes(column))),
];

async function lookFrom(
  db: Knex,
  question: Question,
  from: Source,
  passed: number,
  most: number,
): Promise<Looked> {
  const rows = await rowsFrom(db, question, from, passed, most);
  const full = filledBy(question, rows, passed, most);
  if (full) return full;
  const last = await lastFrom(db, question, from, passed);
  return { rows, last, filled: last !== null };
}

/** What is told by the rows alone: a page that is full, or all that was passed where nothing is filtered. */
function filledBy({ named }: Question, rows: Row[], passed: number, most: number): Looked | null {
  // A page that is full ends where its own last file is.
  if (!named && rows.length === most) return { rows, last: null, filled: true };
  return rows.length === passed ? { rows, last: rows.at(-1)!, filled: true } : null;
}

/** Those of the next so many that the filters let through. */
async function rowsFrom(
  db: Knex,
  question: Question,
  from: Source,
  passed: number,
  most: number,
): Promise<Row[]> {
  const { column, direction, narrow, wide, named } = question;
  const asked = all([...narrow, ...wide]);
  const window = `SELECT id, ${column} AS value, ${filteredBy(question).join(', ')} FROM ${from.sql} LIMIT ${passed}`;
  const filtered = `SELECT id, value FROM (${window}) AS looked WHERE ${asked.sql}`;
  const bindings = [...from.bindings, ...asked.bindings];
  const order = keptOrder(orderOf(question, 'value'));
  if (!named) return queryRows<Row>(db, `${filtered}${order} LIMIT ${most}`, bindings);
  return queryManyRows<Row>(
    db,
    ['id', 'value', 'name', 'parent_id', 'client_id'],
    `SELECT f.id, f.value, i.name, i.parent_id, i.client_id FROM (${filtered}) AS f CROSS JOIN items i WHERE i.id = f.id${keptOrder(`f.value ${direction}, f.id ${direction}`)}
     LIMIT ${most}`,
    bindings,
  );
}

/** Where the next so many end; null where there are fewer. */
async function lastFrom(db: Knex, { column }: Question, from: Source, passed: number): Promise<Place | null> {
  const sql = `SELECT id, ${column} AS value FROM ${from.sql} LIMIT 1 OFFSET ${passed - 1}`;
  return (await queryRow<Place>(db, sql, from.bindings)) ?? null;
}

/**
 * The part of the order that lies behind a place and, by date, within a span. Only the nearer of the two is asked for
 * at the side where reading begins: SQLite would begin at one and pass by all that the other leaves out.
 */
function reach({ column, direction, after, span }: Question): Condition {
  const up = direction === 'asc';
  const outside = after && span && (up ? after.value < span.from : after.value >= span.to);
  const parts: Condition[] = [];
  if (after && !outside)
    parts.push({ sql: `(${column}, id) ${up ? '>' : '<'} (?, ?)`, bindings: [after.value, after.id] });
  if (span && (up || !after || outside)) parts.push({ sql: `${column} < ?`, bindings: [span.to] });
  if (span && (!up || !after || outside)) parts.push({ sql: `${column} >= ?`, bindings: [span.from] });
  return all(parts);
}
