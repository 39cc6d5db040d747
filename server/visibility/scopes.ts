import type { Knex } from 'knex';
import { execute, queryRows } from '#server/db/sql.ts';

/** The correct `scope_client_id` and `scope_top` of each row, computed from the folders above it. */
const COMPUTED = `WITH RECURSIVE scopes(id, scope, top) AS (
    SELECT id, coalesce(client_id, 0), 1 FROM item_rows WHERE parent_id IS NULL
    UNION ALL
    SELECT c.id, coalesce(c.client_id, scopes.scope),
      CASE WHEN coalesce(c.client_id, scopes.scope) <> scopes.scope THEN 1 ELSE 0 END
    FROM scopes CROSS JOIN item_rows c ON c.parent_id = scopes.id
  )`;
const DIFFERS = 'scopes.id = i.id AND (scopes.scope <> i.scope_client_id OR scopes.top <> i.scope_top)';

/** Items whose stored scope is wrong; empty if all are correct. */
export const recountScopes = (db: Knex): Promise<{ id: number; firm_id: number }[]> =>
  queryRows(
    db,
    `${COMPUTED} SELECT i.id, i.firm_id FROM scopes CROSS JOIN item_rows i ON ${DIFFERS} ORDER BY i.id`,
  );

/** Corrects wrong stored scopes. */
export const mendScopes = (trx: Knex.Transaction): Promise<void> =>
  execute(
    trx,
    `${COMPUTED} UPDATE item_rows AS i SET scope_client_id = scopes.scope, scope_top = scopes.top
     FROM scopes WHERE ${DIFFERS}`,
  );
