import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import { AppError } from '#server/http/errors.ts';
import { dayInIndia } from '#server/text/day-in-india.ts';
import { seesAll } from '#server/visibility/visible.ts';
import { holdingUnseen } from '../holding-unseen.ts';
import type { KeptMark } from './contract.ts';
import type { Cover } from './cover.ts';
import { coversOf, marksOf } from './cover.ts';
import { dayToRead, periodInWords } from './day.ts';
import type { Source } from './inside.ts';
import { LIVE, TRASHED, foldersBelow, keptFilesIn } from './inside.ts';
import type { Rule } from './rules.ts';
import { rulesIn, rulesOf } from './rules.ts';

// Services check retention with these functions before deleting and explain a refusal; database triggers refuse what a
// service overlooks.

/** The rule that keeps an item, or a file in it. */
export interface Keeping extends KeptMark {
  /** The name of the kept file in a folder; null when the item itself is kept. */
  inside: string | null;
  months: number;
}

/** `"Books.xlsx" in this folder is kept until Mar 31, 2035 by the retention rule "Books of account".` */
export function keptMessage({ inside, until, run_out, rule, months }: Keeping): string {
  const what = inside === null ? 'This' : `"${inside}" in this folder`;
  const by = `by the retention rule "${rule}"`;
  if (until === null)
    return `${what} is kept ${by} for ${periodInWords(months)} from a date that nobody has entered yet. Enter it in the details, under Retention.`;
  if (run_out)
    return `${what} was kept ${by} until ${dayToRead(until)}. It is deleted under Retention, where its destruction is confirmed.`;
  return `${what} is kept until ${dayToRead(until)} ${by} and cannot be deleted before.`;
}

/** The error for deleting an item that a rule keeps. */
export const keptError = (keeping: Keeping): AppError => new AppError(422, 'kept', keptMessage(keeping));

/** SQL: whether a file, a row of `items`, is under a rule. Slow per row: use it only with conditions that select few rows. */
export const isKept = (row: string): string => {
  const above = `WITH RECURSIVE up(id) AS (
      SELECT ${row}.id UNION ALL
      SELECT a.parent_id FROM up CROSS JOIN item_rows a ON a.id = up.id WHERE a.parent_id IS NOT NULL
    ) SELECT id FROM up`;
  return `(EXISTS (SELECT 1 FROM retention_rules r WHERE r.firm_id = ${row}.firm_id AND r.removed_at IS NULL
      AND CASE r.applies_to
        WHEN 'everything' THEN true
        WHEN 'client_type' THEN r.client_type = (SELECT c.client_type FROM clients c WHERE c.id = ${row}.scope_client_id AND c.firm_id = ${row}.firm_id)
        WHEN 'folder' THEN r.item_id IN (${above})
        ELSE EXISTS (SELECT 1 FROM item_labels l WHERE l.label_id = r.label_id AND l.item_id IN (${above}))
      END)
    AND NOT EXISTS (SELECT 1 FROM retention_marks m WHERE m.exempt_reason IS NOT NULL AND m.item_id IN (${above})))`;
};

async function findKeeping(
  db: Knex,
  firmId: number,
  ids: Iterable<number>,
  { now, source }: { now: Date; source: Source },
): Promise<Map<number, Keeping>> {
  const rules = await rulesOf(db, firmId);
  const keepings = new Map<number, Keeping>();
  if (rules.length === 0) return keepings;
  const today = dayInIndia(now);
  const covers = [...(await coversOf(db, rules, firmId, ids)).values()];
  const note = (id: number, cover: Cover, inside: string | null) => {
    const [longest] = marksOf(rules, cover, today);
    if (!longest || keepings.has(id)) return;
    const { of, ...mark } = longest;
    keepings.set(id, { ...mark, inside, months: of.months });
  };
  for (const cover of covers) if (cover.type === 'file') note(cover.id, cover, null);
  const tops = covers.filter(({ type, exempt }) => type === 'folder' && exempt === null);
  if (tops.length === 0) return keepings;
  const found = await keptFilesIn(db, rules, await foldersBelow(db, rules, tops, source), source);
  const inside = await coversOf(db, rules, firmId, new Set(found.map(({ file }) => file)));
  for (const { top, file } of found) note(top, inside.get(file)!, inside.get(file)!.name);
  return keepings;
}

/** The given items that are files under a rule, or folders that contain one at any depth. */
export const keptAmong = (
  db: Knex,
  firmId: number,
  ids: Iterable<number>,
  now: Date,
): Promise<Map<number, Keeping>> => findKeeping(db, firmId, ids, { now, source: LIVE });

/** `keptAmong` for items in Trash and what was deleted with them. */
export const keptInTrash = (
  db: Knex,
  firmId: number,
  ids: Iterable<number>,
  now: Date,
): Promise<Map<number, Keeping>> => findKeeping(db, firmId, ids, { now, source: TRASHED });

/** The rules that items are under because of their folder, client and labels. */
interface RulesOver {
  rules: Rule[];
  covers: Map<number, Cover>;
}

const bitsOf = (cover: Cover | undefined): number =>
  cover && cover.exempt === null ? cover.place | cover.client : 0;

/** The state before a change that may remove items from a rule; `requireStillKept` compares it afterwards. */
export async function rulesOver(db: Knex, firmId: number, ids: Iterable<number>): Promise<RulesOver> {
  const rules = await rulesOf(db, firmId);
  return { rules, covers: rules.length === 0 ? new Map() : await coversOf(db, rules, firmId, ids) };
}

/**
 * The items that a change has removed from a rule, with the rule: also a folder that came into an exempt one, if a file
 * inside has a rule of its own.
 */
export async function lostRules(
  trx: Knex.Transaction,
  firmId: number,
  { rules, covers }: RulesOver,
): Promise<{ id: number; name: string; rule: string }[]> {
  const before = [...covers.values()].filter(
    (cover) => bitsOf(cover) !== 0 || (cover.type === 'folder' && cover.exempt === null),
  );
  if (before.length === 0) return [];
  const after = await coversOf(
    trx,
    rules,
    firmId,
    before.map(({ id }) => id),
  );
  const lost: { id: number; name: string; rule: string }[] = [];
  const exempted: Cover[] = [];
  for (const cover of before) {
    const now = after.get(cover.id);
    const [rule] = rulesIn(rules, bitsOf(cover) & ~bitsOf(now));
    if (rule) lost.push({ id: cover.id, name: cover.name, rule: rule.name });
    else if (now && now.exempt !== null) exempted.push(cover);
  }
  if (exempted.length === 0) return lost;
  const files = await keptFilesIn(trx, rules, await foldersBelow(trx, rules, exempted, LIVE), LIVE);
  const inside = await coversOf(
    trx,
    rules,
    firmId,
    files.map(({ file }) => file),
  );
  for (const { top, file } of files) {
    const { name, place } = covers.get(top)!;
    const [rule] = rulesIn(rules, place | inside.get(file)!.place | inside.get(file)!.client);
    if (rule) lost.push({ id: top, name, rule: rule.name });
  }
  return lost;
}

/** Only users who manage retention may remove an item from a rule. */
export const mayRemoveFromRules = (actor: Pick<Actor, 'permissions'>): boolean =>
  may(actor, 'retention.manage');

/**
 * Only users who manage retention may remove an item from a rule, be it by moving it, changing its client or removing a
 * label; and only those who see all that a folder holds may remove the folder. @throws {AppError} 422 `kept` when the
 * change would do so for another user.
 */
export async function requireStillKept(
  trx: Knex.Transaction,
  actor: Actor,
  before: RulesOver,
): Promise<void> {
  if (before.covers.size === 0 || (mayRemoveFromRules(actor) && seesAll(actor))) return;
  const found = await lostRules(trx, actor.firmId, before);
  const unseen = mayRemoveFromRules(actor)
    ? new Set(
        await holdingUnseen(
          trx,
          actor,
          found.map(({ id }) => id),
        ),
      )
    : null;
  const lost = found.find(({ id }) => unseen === null || unseen.has(id));
  if (lost) throw new AppError(422, 'kept', removedFromRule(lost.name, lost.rule));
}

const removedFromRule = (name: string, rule: string): string =>
  `"${name}" is under the retention rule "${rule}" and would no longer be. Ask an admin or manager to do it.`;
