import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { Overtaken } from '../contract.ts';
import type { Item } from '../model.ts';
import { presentOf } from './replace.ts';

/** For a user of whom nothing tells when they saw the file, a version counts as unseen for so long. */
const RECENT_MS = 60 * 60_000;

/**
 * The content that the actor is about to replace without having seen it: a colleague has stored it since the actor last opened or
 * changed the file. Null for any other content, and for a program, which states by itself what it replaces.
 * @param now ISO 8601, UTC.
 */
export async function findOvertaken(
  trx: Knex.Transaction,
  actor: Actor,
  item: Item,
  now: string,
): Promise<Overtaken | null> {
  if (actor.app || actor.program) return null;
  const { user_id } = await presentOf(trx, item);
  if (user_id === actor.userId) return null;
  const seen = await trx('touches').where({ user_id: actor.userId, item_id: item.id }).first('touched_at');
  const since = seen?.touched_at ?? new Date(Date.parse(now) - RECENT_MS).toISOString();
  if (item.modified_at <= since) return null;
  // The first content of a file is no newer version of it.
  if (!(await trx('versions').where({ item_id: item.id }).first('id'))) return null;
  const person = await trx('users').where({ id: user_id }).first('name');
  return { user_name: person.name, at: item.modified_at };
}
