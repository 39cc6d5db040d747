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
import { searchIndex } from '#server/search/index.ts';
import { isVisible, only } from '#server/visibility/visible.ts';

const nameTakenMessage = (name: string) => `An item named "${name}" already exists in this folder.`;

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

/** @throws {AppError} 404, 403, 409 `item_changed`, 422 on `name`, 422 `sealed`. */
export async function renameItem(
  dependencies: ChangeDependencies,
  trx: Knex.Transaction,
  actor: Actor,
  id: number,
  { name: text, seen }: RenameItem,
): Promise<void> {
  const { audit } = dependencies;
  const item = await findItem(trx, actor, id, 'documents.write').catch(async (error: unknown) => {
    throw await goneError(dependencies, trx, actor, error, id);
  });
  const name = validName(text);
  if (name === item.name) return;
  const seal = (await sealsOver(trx, actor, [id])).get(id);
  if (seal) throw sealedError(seal, 'name');
  await requireUnchanged(dependencies, trx, actor, item, seen, AGAIN);
  const file_type = item.type === 'file' ? typeAfterRename(item, name) : null;
  const name_key = nameKey(name);
  if (name_key !== item.name_key && (await findByNameKey(trx, item, name_key)))
    throw await nameTakenError(trx, actor, item.parent_id, name);
  await trx('item_rows')
    .where({ id })
    .update({ name, name_key, sort_key: sortKey(name), file_type });
  await searchIndex.rename(trx, { id, firm_id: item.firm_id, name });
  await audit.record(trx, {
    actor,
    did: 'document.rename',
    subject: `item:${id}`,
    detail: { from: item.name, to: name },
    concerns: { parents: [item.parent_id] },
  });
}

/** The type of a renamed file; it follows the name's extension, which must be an allowed one. */
function typeAfterRename(item: Item, name: string): string {
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
