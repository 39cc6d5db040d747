import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { AppError } from '#server/http/errors.ts';
import { invalid } from '#server/http/errors.ts';
import { extensionOf } from '#server/text/extension.ts';
import { ALLOWED_EXTENSIONS, unsupported } from '../contract.ts';
import { Item } from '../model.ts';
import { checkName, nameKey, tidyName } from '../../text/file-names.ts';
import { sortKey } from '../../text/sort-key.ts';
import { findItem } from '../rows.ts';
import { UNUSABLE_NAME } from './insert-item.ts';
import type { RenameItem } from '../contract.ts';
import { requireUnchanged, goneError } from './concurrent-edits.ts';
import type { ChangeDependencies } from './dependencies.ts';
import { sealedError, sealsOver } from '../seals/guard.ts';
import { collectWrites } from '#server/db/collected-writes.ts';
import { BOUND_IDS, bindList, execute } from '#server/db/sql.ts';
import { searchIndex } from '#server/search/index.ts';
import { isVisible, only } from '#server/visibility/visible.ts';

export const nameTakenMessage = (name: string) => `An item named "${name}" already exists in this folder.`;

/**
 * Normalizes a name that a user entered.
 * @throws {AppError} 422 on `name` with the reason.
 */
export function validName(text: string, empty?: string): string {
  const name = tidyName(text);
  const reason = checkName(name, empty);
  if (reason) throw invalid({ name: [reason] });
  return name;
}

const AGAIN = 'Save again to give it your name.';
export const KEEPS_NAME = 'It keeps this name.';

/** @throws {AppError} 404, 403, 409 `item_changed`, 422 on `name`, 422 `sealed`. */
export async function renameItem(
  dependencies: ChangeDependencies,
  trx: Knex.Transaction,
  actor: Actor,
  id: number,
  { name: text, seen }: RenameItem,
): Promise<void> {
  const item = await findItem(trx, actor, id, 'documents.write').catch(async (error: unknown) => {
    throw await goneError(dependencies, trx, actor, error, id);
  });
  const name = validName(text);
  if (name === item.name) return;
  const seal = (await sealsOver(trx, actor, [id])).get(id);
  if (seal) throw sealedError(seal, 'name');
  await requireUnchanged(dependencies, trx, actor, item, seen, seen?.undoing ? KEEPS_NAME : AGAIN);
  const renaming = renamingOf(item, name);
  const { name_key } = renaming;
  if (name_key !== item.name_key && (await findByNameKey(trx, item, name_key)))
    throw await nameTakenError(trx, actor, item.parent_id, name);
  await giveNames(dependencies, trx, actor, [renaming]);
}

type RenamedItem = Pick<Item, 'id' | 'parent_id' | 'type' | 'file_type' | 'name' | 'name_key'>;
/** An item with a valid new name. */
export interface Renaming {
  item: RenamedItem;
  name: string;
  name_key: string;
  file_type: string | null;
}

/** @param name a valid one. @throws {AppError} 422 on `name` if it would make a file one of a type that is not allowed. */
export function renamingOf(item: RenamedItem, name: string): Renaming {
  const file_type = item.type === 'file' ? typeAfterRename(item, name) : null;
  return { item, name, name_key: nameKey(name), file_type };
}

/** Renames items to names that are free in their folders once all of them have left theirs. */
export async function giveNames(
  { audit }: Pick<ChangeDependencies, 'audit'>,
  trx: Knex.Transaction,
  actor: Actor,
  renamings: readonly Renaming[],
): Promise<void> {
  if (renamings.length === 0) return;
  const leaving = renamings.filter(({ item, name_key }) => name_key !== item.name_key);
  // No name has a slash. Until it has its new name, an item does not keep its old one from another.
  if (leaving.length > 1)
    await execute(trx, `UPDATE item_rows SET name_key = '/' || id WHERE id IN (${BOUND_IDS})`, [
      bindList(leaving.map(({ item }) => item.id)),
    ]);
  for (const { item, name, name_key, file_type } of renamings)
    await trx('item_rows')
      .where({ id: item.id })
      .update({ name, name_key, sort_key: sortKey(name), file_type });
  await searchIndex.removeAll(
    trx,
    renamings.map(({ item }) => item.id),
  );
  await searchIndex.addAll(
    trx,
    renamings.map(({ item, name }) => ({ id: item.id, grams: searchIndex.gramsOf(actor.firmId, name) })),
  );
  await collectWrites(trx, async () => {
    for (const { item, name } of renamings)
      await audit.record(trx, {
        actor,
        did: 'document.rename',
        subject: `item:${item.id}`,
        detail: { from: item.name, to: name },
        concerns: { parents: [item.parent_id] },
      });
  });
}

/** The type of a renamed file; it follows the name's extension, which must be an allowed one. */
function typeAfterRename(item: RenamedItem, name: string): string {
  const type = extensionOf(name);
  if (ALLOWED_EXTENSIONS.has(type)) return type;
  const message = type === '' ? `Keep ".${item.file_type}" at the end of the name.` : unsupported(type);
  throw invalid({ name: [message] });
}

/** The item with this name key in a folder, visible or not. */
const findByNameKey = async (
  trx: Knex.Transaction,
  { firm_id, parent_id }: Pick<Item, 'firm_id' | 'parent_id'>,
  key: string,
): Promise<{ id: number } | undefined> =>
  Item.query(trx)
    .where({ firm_id, name_key: key })
    .whereRaw('coalesce(parent_id, 0) = ?', [parent_id ?? 0])
    .select('id')
    .first();

/** The error for a taken name. It says nothing about an item that the actor does not see. */
export async function nameTakenError(
  trx: Knex.Transaction,
  actor: Actor,
  parent_id: number | null,
  name: string,
): Promise<AppError> {
  const taker = await findByNameKey(trx, { firm_id: actor.firmId, parent_id }, nameKey(name));
  const seen = taker && (await only(Item.query(trx).findById(taker.id), isVisible(actor)).select('id'));
  return invalid({ name: [taker && !seen ? UNUSABLE_NAME : nameTakenMessage(name)] });
}
