import type { Knex } from 'knex';
import { BOUND_IDS, bindList, queryRows } from '#server/db/sql.ts';

/** A client whose e-mail address is changed; null for no address. */
export interface AddressChange {
  id: number;
  before: string | null;
  after: string | null;
}

/**
 * Lets the requests to these clients follow their e-mail addresses: those that go to the former address, and not to another one that the
 * office has chosen. Ended requests too, for they may be opened again.
 */
export async function followAddresses(
  trx: Knex.Transaction,
  changes: readonly AddressChange[],
): Promise<void> {
  const changeOf = new Map(changes.map((change) => [change.id, change]));
  const requests = await queryRows<{ id: number; client_id: number; email: string }>(
    trx,
    `SELECT id, client_id, email FROM requests WHERE client_id IN (${BOUND_IDS})`,
    [bindList(changeOf.keys())],
  );
  for (const { id, client_id, email } of requests) {
    const { before, after } = changeOf.get(client_id)!;
    if (email.toLowerCase() !== (before ?? '').toLowerCase()) continue;
    await trx('requests')
      .where({ id })
      .update({ email: after ?? '' });
  }
}
