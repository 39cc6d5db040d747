import type { Knex } from 'knex';
import { BOUND_IDS, bindList, execute } from '#server/db/sql.ts';
import type { ClientFacts } from './derived.ts';
import { derivedPasswords } from './derived.ts';

/** Queues the locked PDFs of these clients again, of whose passwords more is known now. */
export async function tryLockedAgain(
  trx: Knex.Transaction,
  firmId: number,
  clientIds: readonly number[],
): Promise<void> {
  if (clientIds.length === 0) return;
  await execute(
    trx,
    `UPDATE document_texts SET state = 'waiting', attempts = 0, reason = NULL
     WHERE firm_id = ? AND state = 'refused' AND reason = 'locked' AND EXISTS (SELECT 1 FROM items i
       WHERE i.firm_id = document_texts.firm_id AND i.sha256 = document_texts.sha256 AND i.file_type = 'pdf'
         AND i.scope_client_id IN (${BOUND_IDS}))`,
    [firmId, bindList(clientIds)],
  );
}

/** As `tryLockedAgain`, for those of changed clients from whose data other passwords are derived now. */
export const tryLockedOfChanged = (
  trx: Knex.Transaction,
  firmId: number,
  changes: readonly { before: ClientFacts & { id: number }; after: ClientFacts }[],
): Promise<void> =>
  tryLockedAgain(
    trx,
    firmId,
    changes.flatMap(({ before, after }) => {
      const known = new Set(derivedPasswords(before));
      return derivedPasswords(after).some((password) => !known.has(password)) ? [before.id] : [];
    }),
  );
