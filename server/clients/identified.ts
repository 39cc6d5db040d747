import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { IdentifiedClient } from './contract.ts';
import { isVisibleClient, only } from '#server/visibility/visible.ts';

/** All clients that the actor sees, with their identifiers. */
export const identified = (db: Knex, actor: Actor): Promise<IdentifiedClient[]> =>
  only(db('clients').where('firm_id', actor.firmId), isVisibleClient(actor))
    .orderBy('id')
    .select('id', 'name', 'pan', 'gstin', 'tan', 'cin', 'email', 'phone', 'address', 'born_on');
