import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { AppError } from '#server/http/errors.ts';
import { findTaken } from '#server/text/exchanged-names.ts';
import type { BulkResult, RenameItems } from '../contract.ts';
import type { ChangeDependencies } from './dependencies.ts';
import { UNUSABLE_NAME } from './insert-item.ts';
import { placeKey, placesTaken } from './move.ts';
import { findUnchangedItems } from './remove.ts';
import type { Renaming } from './rename.ts';
import { KEEPS_NAME, giveNames, nameTakenMessage, renamingOf, validName } from './rename.ts';

const AGAIN = 'Rename it again if it should still get your name.';

/**
 * Renames the items that can be renamed, and returns the reason for the others. They may take each other's names: what
 * counts is whether a name is free when all of them have theirs.
 */
export async function renameItems(
  dependencies: ChangeDependencies,
  trx: Knex.Transaction,
  actor: Actor,
  { names, seen }: RenameItems,
): Promise<BulkResult> {
  const texts = new Map(names.map(({ id, name }) => [id, name]));
  const ids = [...texts.keys()];
  const then = seen.some(({ undoing }) => undoing) ? KEEPS_NAME : AGAIN;
  const { items, failed } = await findUnchangedItems(
    dependencies,
    trx,
    actor,
    { ids, seen },
    then,
    ({ id, name }) => name === texts.get(id),
  );
  const done: number[] = [];
  const renamings: Renaming[] = [];
  for (const item of items.values())
    try {
      const name = validName(texts.get(item.id)!);
      if (name === item.name) done.push(item.id);
      else renamings.push(renamingOf(item, name));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failed.push({ id: item.id, name: item.name, message: error.message });
    }
  const { taken, unseen } = await placesTaken(trx, actor, renamings.map(newPlace));
  const refused = findTaken(
    renamings.map((renaming) => ({
      id: renaming.item.id,
      from: placeKey(renaming.item),
      to: placeKey(newPlace(renaming)),
    })),
    (key) => taken.has(key),
  );
  for (const renaming of renamings.filter(({ item }) => refused.has(item.id))) {
    const message = unseen.has(placeKey(newPlace(renaming)))
      ? UNUSABLE_NAME
      : nameTakenMessage(renaming.name);
    failed.push({ id: renaming.item.id, name: renaming.item.name, message, code: 'taken' });
  }
  const possible = renamings.filter(({ item }) => !refused.has(item.id));
  await giveNames(dependencies, trx, actor, possible);
  return { done: [...done, ...possible.map(({ item }) => item.id)], failed };
}

const newPlace = ({ item, name_key }: Renaming) => ({ parent_id: item.parent_id, name_key });
