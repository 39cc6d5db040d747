import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import { BOUND_IDS, bindList, queryRows } from '#server/db/sql.ts';
import { conflict, forbidden, invalid, notFound } from '#server/http/errors.ts';
import { seesAll } from '#server/visibility/visible.ts';
import type { Clock } from '../../clock.ts';
import { nameKey } from '../contract.ts';
import { holdingUnseen } from '../holding-unseen.ts';
import { requireStillKept, rulesOver } from '../retention/guard.ts';
import { requirePermission } from '../rows.ts';
import type { Labelled, LabelChange, LabelInput, LabelItems, LabelView } from './contract.ts';
import { LABELS_MAX } from './contract.ts';
import { searchByLabel, seenOf } from './of-items.ts';
import { mayDeleteLabel, mayLabel } from './policy.ts';

interface LabelDependencies {
  db: Knex;
  clock: Clock;
  audit: Pick<Audit, 'record'>;
}

/** Item names per audit entry at most. */
const MAX_NAMED = 20;

const NOT_ALL_YOURS =
  'A retention rule applies to this label, and you do not see all that the folder holds. Ask an admin to add it.';

/** A label on a folder puts all that the folder holds under the label's retention rule. @throws {AppError} 422 on `add`. */
async function requireRulesWithinSight(
  trx: Knex.Transaction,
  actor: Actor,
  items: readonly number[],
  labels: readonly number[],
): Promise<void> {
  if (labels.length === 0 || seesAll(actor)) return;
  const rule = await trx('retention_rules')
    .where({ firm_id: actor.firmId })
    .whereIn('label_id', [...labels])
    .whereNull('removed_at')
    .first('id');
  if (rule && (await holdingUnseen(trx, actor, items)).length > 0) throw invalid({ add: [NOT_ALL_YOURS] });
}

/** The firm's labels, and their assignment to items. */
export function createLabels({ db, clock, audit }: LabelDependencies) {
  const requireLabel = (actor: Actor) => {
    if (!mayLabel(actor)) throw forbidden();
  };
  const all = (db: Knex, { firmId }: Actor): Promise<LabelView[]> =>
    db('labels').where('firm_id', firmId).orderBy('name_key').select('id', 'name', 'colour');

  async function find(db: Knex, { firmId }: Actor, id: number): Promise<LabelView> {
    const label = await db('labels').where({ id, firm_id: firmId }).first('id', 'name', 'colour');
    if (!label) throw notFound('label');
    return label;
  }

  /** @throws {AppError} 422 on `name` when a label other than `exceptId` has the name. */
  async function requireFreeName(trx: Knex.Transaction, { firmId }: Actor, name: string, exceptId = 0) {
    const of = { firm_id: firmId, name_key: nameKey(name) };
    if (await trx('labels').where(of).whereNot({ id: exceptId }).first('id'))
      throw invalid({ name: [`A label named "${name}" already exists.`] });
  }

  return {
    /** All labels of the firm, by name. @throws {AppError} 403. */
    async list(actor: Actor): Promise<LabelView[]> {
      requirePermission(actor, 'documents.read');
      return all(db, actor);
    },

    /** See `searchByLabel`. */
    bearing: (actor: Actor, text: string, most: number): Promise<number[]> =>
      searchByLabel(db, actor, text, most),

    /** @throws {AppError} 403; 422 on `name`; 409 when the firm has `LABELS_MAX` labels. */
    async create(actor: Actor, { name, colour }: LabelInput): Promise<LabelView> {
      requireLabel(actor);
      return db.transaction(async (trx) => {
        await requireFreeName(trx, actor, name);
        if ((await all(trx, actor)).length >= LABELS_MAX)
          throw conflict(`There are ${LABELS_MAX} labels already. Delete one you no longer need.`);
        const columns = { firm_id: actor.firmId, created_at: clock().toISOString() };
        const [row] = await trx('labels')
          .insert({ ...columns, name, name_key: nameKey(name), colour })
          .returning('id');
        await audit.record(trx, {
          actor,
          did: 'label.create',
          subject: `label:${row.id}`,
          detail: { name },
        });
        return find(trx, actor, row.id);
      });
    },

    /** Renames or recolours a label, on all its items. @throws {AppError} 403, 404; 422 on `name`. */
    async update(actor: Actor, id: number, { name, colour }: LabelChange): Promise<LabelView> {
      requireLabel(actor);
      return db.transaction(async (trx) => {
        const before = await find(trx, actor, id);
        const after = { name: name ?? before.name, colour: colour ?? before.colour };
        if (after.name === before.name && after.colour === before.colour) return before;
        await requireFreeName(trx, actor, after.name, id);
        await trx('labels')
          .where({ id })
          .update({ ...after, name_key: nameKey(after.name) });
        const renamed = after.name !== before.name;
        await audit.record(trx, {
          actor,
          did: 'label.update',
          subject: `label:${id}`,
          detail: renamed ? { from: before.name, to: after.name } : { name: before.name },
        });
        return { id, ...after };
      });
    },

    /** Deletes a label and removes it from all items. @throws {AppError} 403, 404, 409 `kept` when a retention rule applies to it. */
    async remove(actor: Actor, id: number): Promise<void> {
      requireLabel(actor);
      return db.transaction(async (trx) => {
        const { name } = await find(trx, actor, id);
        if (!mayDeleteLabel(actor))
          throw forbidden(
            'Only somebody who sees all clients can delete a label: it is taken off everything.',
          );
        const rule = await trx('retention_rules')
          .where({ label_id: id })
          .whereNull('removed_at')
          .first('name');
        if (rule)
          throw conflict(
            `The retention rule "${rule.name}" applies to this label. Remove the rule first.`,
            'kept',
          );
        await trx('item_labels').where({ label_id: id }).delete();
        await trx('labels').where({ id }).delete();
        await audit.record(trx, { actor, did: 'label.delete', subject: `label:${id}`, detail: { name } });
      });
    },

    /**
     * Adds labels to items and removes others. Only actual changes are counted and recorded.
     * @throws {AppError} 403; 404 when none of the items exists; 422 on `add`; 422 `kept`.
     */
    async put(actor: Actor, { ids, add, remove }: LabelItems): Promise<Labelled> {
      requireLabel(actor);
      return db.transaction(async (trx) => {
        const items = await seenOf(trx, actor, ids);
        if (items.length === 0) throw notFound('item');
        const names = new Map((await all(trx, actor)).map(({ id, name }) => [id, name]));
        if (add.some((id) => !names.has(id)))
          throw invalid({ add: ['This label does not exist any more. Choose again.'] });
        const chosen = items.map(({ id }) => id);
        await requireRulesWithinSight(trx, actor, chosen, add);
        const chosenList = bindList(chosen);
        const under = await rulesOver(trx, actor.firmId, remove.length > 0 ? chosen : []);
        const changed = new Set<number>();
        const record = async (did: 'label.put' | 'label.take', label: number, done: readonly number[]) => {
          if (done.length === 0) return;
          for (const id of done) changed.add(id);
          const of = new Set(done);
          await audit.record(trx, {
            actor,
            did,
            subject: done.length === 1 ? `item:${done[0]}` : `label:${label}`,
            detail: {
              label: names.get(label)!,
              names: items.flatMap(({ id, name }) => (of.has(id) ? [name] : [])).slice(0, MAX_NAMED),
              chosen: done.length,
            },
            concerns: { items: done },
          });
        };
        for (const label of new Set(add)) {
          const done = await queryRows<{ item_id: number }>(
            trx,
            `INSERT INTO item_labels (item_id, label_id) SELECT id, ? FROM items WHERE id IN (${BOUND_IDS})
             ON CONFLICT DO NOTHING RETURNING item_id`,
            [label, chosenList],
          );
          await record(
            'label.put',
            label,
            done.map(({ item_id }) => item_id),
          );
        }
        for (const label of new Set(remove)) {
          if (!names.has(label) || add.includes(label)) continue;
          const done = await queryRows<{ item_id: number }>(
            trx,
            `DELETE FROM item_labels WHERE label_id = ? AND item_id IN (${BOUND_IDS}) RETURNING item_id`,
            [label, chosenList],
          );
          await record(
            'label.take',
            label,
            done.map(({ item_id }) => item_id),
          );
        }
        await requireStillKept(trx, actor, under);
        return { changed: changed.size, missing: new Set(ids).size - items.length };
      });
    },
  };
}
export type Labels = ReturnType<typeof createLabels>;
