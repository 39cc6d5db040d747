import type { Knex } from 'knex';
import type { Audit } from '#server/audit/service.ts';
import type { Limits } from '#server/subscription/contract.ts';
import type { Clock } from '../../clock.ts';

/** Dependencies of functions that change items. */
export interface ChangeDependencies {
  db: Knex;
  clock: Clock;
  audit: Audit;
  /** The firm's present limits; call it in the transaction that adds a file. */
  limits: (db: Knex, firmId: number) => Promise<Limits>;
  /** Days that deleted items stay in Trash; 0 deletes them immediately. */
  trashDays: number;
}
