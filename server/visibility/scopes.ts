import type { Knex } from 'knex';
import { execute, queryRows } from '#server/db/sql.ts';

/** To whom each row belongs, worked out anew from the folders above it. */
const WORKED_OUT = `WITH RECURSIVE scopes(id, scope, top) AS (
    SELECT id, coalesce(client_id, 0), 1 FROM item_rows WHERE parent_id IS NULL
    UNION ALL
    SELECT c.id, coalesce(c.client_id, scopes.scope),
      CASE WHEN coalesce(c.client_id, scopes.scope) <> scopes.scope THEN 1 ELSE 0 END
    FROM scopes CROSS JOIN item_rows c ON c.parent_id = scopes.id
  )`;
const DIFFERS = 'scopes.id = i.id AND (scopes.scope <> i.scope_client_id OR scopes.top <> i.scope_top)';

/** Items of which it is not kept rightly to whom they belong; empty when all is well. */
export const recountScopes = (db: Knex): Promise<{ id: number; firm_id: number }[]> =>
  queryRows(
    db,
    `${WORKED_OUT} SELECT i.id, i.firm_id FROM scopes CROSS JOIN item_rows i ON ${DIFFERS} ORDER BY i.id`,
  );

/** Sets it right. */
export const mendScopes = (trx: Knex.Transaction): Promise<void> =>
  execute(
    trx,
    `${WORKED_OUT} UPDATE item_rows AS i SET scope_client_id = scopes.scope, scope_top = scopes.top
     FROM scopes WHERE ${DIFFERS}`,
  );
