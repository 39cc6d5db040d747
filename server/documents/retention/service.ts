import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { BOUND_IDS, bindList, queryRows } from '#server/db/sql.ts';
import { conflict, forbidden, invalid, notFound } from '#server/http/errors.ts';
import { dayInIndia } from '#server/text/day-in-india.ts';
import { isVisible, only, seesAll } from '#server/visibility/visible.ts';
import type { ChangeDependencies } from '../changes/dependencies.ts';
import type {
  ItemRetention,
  KeptPage,
  KeptQuery,
  MarkItem,
  RemoveRule,
  RetentionOverview,
  RuleInput,
  RuleReach,
  RuleView,
} from './contract.ts';
import { RULES_MAX } from './contract.ts';
import { periodInWords } from './day.ts';
import { figuresOf, reachOf } from './figures.ts';
import { listKept } from './list.ts';
import { mark, stateOf } from './mark.ts';
import { mayManage } from './policy.ts';
import { ruleViews } from './views.ts';

export type RetentionDependencies = Pick<ChangeDependencies, 'db' | 'clock' | 'audit'>;

const NOT_ALL =
  'Only somebody who sees all clients can change the rules: they are about everybody’s documents.';
const WHERE: Record<RuleInput['applies_to'], string> = {
  everything: 'everything',
  client_type: 'clients of type',
  folder: 'folder',
  label: 'label',
};

/** Retention rules, and the files under them. */
export function createRetention({ db, clock, audit }: RetentionDependencies) {
  function requireManage(actor: Actor, { all = false } = {}): void {
    if (!mayManage(actor)) throw forbidden();
    if (all && !seesAll(actor)) throw forbidden(NOT_ALL);
  }
  const today = () => dayInIndia(clock());

  async function find(trx: Knex.Transaction, { firmId }: Actor, id: number) {
    const rule = await trx('retention_rules').where({ id, firm_id: firmId }).whereNull('removed_at').first();
    if (!rule) throw notFound('rule');
    return rule as { id: number; name: string };
  }

  /** Checks that the rule's folder or label exists. @returns the columns of the rule. @throws {AppError} 422 on the field. */
  async function columnsOf(db: Knex, actor: Actor, input: RuleInput) {
    const { applies_to, client_type, item_id, label_id, ...rest } = input;
    const inFirm = { firm_id: actor.firmId };
    if (applies_to === 'folder') {
      const folder = await only(db('items').where({ ...inFirm, id: item_id! }), isVisible(actor)).first('id');
      if (!folder) throw invalid({ item_id: ['This folder does not exist any more. Choose another.'] });
    }
    if (
      applies_to === 'label' &&
      !(await db('labels')
        .where({ ...inFirm, id: label_id! })
        .first('id'))
    )
      throw invalid({ label_id: ['This label does not exist any more. Choose another.'] });
    return {
      ...rest,
      applies_to,
      client_type: applies_to === 'client_type' ? client_type! : null,
      item_id: applies_to === 'folder' ? item_id! : null,
      label_id: applies_to === 'label' ? label_id! : null,
    };
  }

  async function view(trx: Knex.Transaction, actor: Actor, id: number): Promise<RuleView> {
    const [found] = await ruleViews(trx, actor, id);
    return found!;
  }

  async function record(
    trx: Knex.Transaction,
    actor: Actor,
    did: `retention.${string}`,
    rule: RuleView,
    reason?: string,
  ) {
    const of = rule.of === null ? '' : ` "${rule.of}"`;
    await audit.record(trx, {
      actor,
      did,
      subject: `rule:${rule.id}`,
      detail: {
        name: rule.name,
        applies_to: `${WHERE[rule.applies_to]}${of}`,
        keeps: periodInWords(rule.months),
        counts_from: rule.counts_from.replaceAll('_', ' '),
        source: rule.source || null,
        ...(reason !== undefined && { reason }),
      },
      ...(rule.item_id !== null && { concerns: { items: [rule.item_id] } }),
    });
  }

  return {
    /** The rule for the type of each client that has files under it; clients without one are left out. */
    async ofClients(db: Knex, ids: Iterable<number>): Promise<Map<number, { name: string }>> {
      const rows = await queryRows<{ client: number; name: string }>(
        db,
        `SELECT c.id AS client, r.name FROM clients c CROSS JOIN retention_rules r
         ON r.firm_id = c.firm_id AND r.client_type = c.client_type AND r.removed_at IS NULL
         WHERE c.id IN (${BOUND_IDS}) AND EXISTS (SELECT 1 FROM item_rows i
           WHERE i.firm_id = c.firm_id AND i.scope_client_id = c.id AND i.type = 'file') ORDER BY r.id DESC`,
        [bindList(ids)],
      );
      return new Map(rows.map(({ client, name }) => [client, { name }]));
    },

    /** The rules, day and exemption that apply to an item. @throws {AppError} 404, 403. */
    of: (actor: Actor, id: number): Promise<ItemRetention> => stateOf(db, actor, id, clock()),

    /** See `mark`. @throws {AppError} 404, 403. */
    mark: (actor: Actor, id: number, change: MarkItem): Promise<ItemRetention> =>
      mark({ db, clock, audit }, actor, id, change),

    /** The rules, with totals of the files that the actor sees. @throws {AppError} 403. */
    async overview(actor: Actor): Promise<RetentionOverview> {
      requireManage(actor);
      const views = await ruleViews(db, actor);
      const { byRule, total } = await figuresOf(db, actor, today());
      const none = { files: 0, bytes: 0, formatted_bytes: '0 B', run_out: 0, undated: 0 };
      return {
        rules: views.map((rule) => ({ ...rule, ...(byRule.get(rule.id) ?? none) })),
        total,
        today: today(),
      };
    },

    /** A page of the files under a rule, earliest expiry first. @throws {AppError} 403; 422 for a cursor of another list. */
    async files(actor: Actor, query: KeptQuery = {}): Promise<KeptPage> {
      requireManage(actor);
      return listKept(db, actor, query, today());
    },

    /** What a rule would apply to, before it is saved. @throws {AppError} 403; 422 on a field. */
    async reach(actor: Actor, input: RuleInput): Promise<RuleReach> {
      requireManage(actor, { all: true });
      return reachOf(db, actor, { id: 0, ...(await columnsOf(db, actor, input)) });
    },

    /** @throws {AppError} 403; 422 on a field; 409 when the firm has `RULES_MAX` rules. */
    async add(actor: Actor, input: RuleInput): Promise<RuleView> {
      requireManage(actor, { all: true });
      return db.transaction(async (trx) => {
        const columns = await columnsOf(trx, actor, input);
        const standing = await trx('retention_rules')
          .where({ firm_id: actor.firmId })
          .whereNull('removed_at')
          .pluck('id');
        if (standing.length >= RULES_MAX)
          throw conflict(
            `There are ${RULES_MAX} rules already. Remove one that is no longer needed.`,
            'too_many',
          );
        const [created] = (await trx('retention_rules')
          .insert({
            ...columns,
            firm_id: actor.firmId,
            created_by: actor.userId,
            created_at: clock().toISOString(),
          })
          .returning('id')) as [{ id: number }];
        const rule = await view(trx, actor, created.id);
        await record(trx, actor, 'retention.add_rule', rule);
        return rule;
      });
    },

    /** @throws {AppError} 403, 404; 422 on a field. */
    async change(actor: Actor, id: number, input: RuleInput): Promise<RuleView> {
      requireManage(actor, { all: true });
      return db.transaction(async (trx) => {
        await find(trx, actor, id);
        await trx('retention_rules')
          .where({ id })
          .update(await columnsOf(trx, actor, input));
        const rule = await view(trx, actor, id);
        await record(trx, actor, 'retention.change_rule', rule);
        return rule;
      });
    },

    /** Ends a rule; the row is kept with the reason. @throws {AppError} 403, 404. */
    async remove(actor: Actor, id: number, { reason }: RemoveRule): Promise<void> {
      requireManage(actor, { all: true });
      await db.transaction(async (trx) => {
        await find(trx, actor, id);
        const rule = await view(trx, actor, id);
        await trx('retention_rules')
          .where({ id })
          .update({ removed_by: actor.userId, removed_at: clock().toISOString(), remove_reason: reason });
        await record(trx, actor, 'retention.remove_rule', rule, reason);
      });
    },
  };
}
export type Retention = ReturnType<typeof createRetention>;
export type { Destructions } from './destructions.ts';
