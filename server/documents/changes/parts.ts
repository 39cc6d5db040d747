import type { Knex } from 'knex';
import type { Audit } from '#server/audit/service.ts';
import type { Limits } from '#server/subscription/contract.ts';
import type { Clock } from '../../clock.ts';

/** What a change of items needs beside its transaction. */
export interface Writing {
  db: Knex;
  clock: Clock;
  audit: Audit;
  /** What the firm may use now; asked inside the transaction that adds a file. */
  limits: (db: Knex, firmId: number) => Promise<Limits>;
  /** How many days what is deleted stays in Trash; 0 deletes it at once. */
  trashDays: number;
}
