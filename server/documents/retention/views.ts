import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { queryRows } from '#server/db/sql.ts';
import { andVisible } from '#server/visibility/visible.ts';
import type { RuleView } from './contract.ts';

/** The firm's rules in force, or the one with `id`, with the name of what they apply to. */
export const ruleViews = (db: Knex, actor: Actor, id: number | null = null): Promise<RuleView[]> =>
  queryRows(
    db,
    `SELECT r.id, r.name, r.source, r.applies_to, r.client_type, r.item_id, r.label_id, r.months, r.counts_from,
       who.name AS created_by, r.created_at,
       CASE r.applies_to
         WHEN 'client_type' THEN r.client_type
         WHEN 'label' THEN (SELECT l.name FROM labels l WHERE l.id = r.label_id)
         WHEN 'folder' THEN (SELECT i.name FROM items i WHERE i.id = r.item_id${andVisible(actor, 'i')})
       END AS of
     FROM retention_rules r JOIN users who ON who.id = r.created_by
     WHERE r.firm_id = ? AND r.removed_at IS NULL${id === null ? '' : ' AND r.id = ?'} ORDER BY r.id`,
    [actor.firmId, ...(id === null ? [] : [id])],
  );
