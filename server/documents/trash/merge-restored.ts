import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { mergeIntoNamesake, removeEmptied } from '../changes/merge-moved.ts';
import type { MoveRequest } from '../changes/move.ts';
import { moveAndMerge } from '../changes/move.ts';
import type { ChosenItem } from '../changes/remove.ts';
import { findFolderByName } from '../changes/set-aside.ts';
import type { LinkingDependencies } from '../changes/set-client.ts';
import { sealOfFolder, sealedMessage } from '../seals/guard.ts';
import type { Trashed } from './clients.ts';
import { leavingHold, requireFolder } from './clients.ts';
import type { RestoreResult } from './contract.ts';

type Place = Pick<MoveRequest, 'parent_id'> & Pick<ChosenItem, 'name'>;
type Refusal = Pick<RestoreResult['failed'][number], 'message' | 'code'>;

const HELD =
  'Documents of this client are under a legal hold and stay with that client. Keep both folders instead.';

/** Why a folder from Trash cannot be merged into the folder of its name; null if it can, and without such a folder. */
export async function refusalToMerge(
  trx: Knex.Transaction,
  actor: Actor,
  row: Trashed & Place,
): Promise<Refusal | null> {
  const there = await findFolderByName(trx, actor, row);
  if (!there) return null;
  const seal = await sealOfFolder(trx, actor, there.id);
  if (seal) return { message: sealedMessage(seal), code: 'sealed' };
  const target = await requireFolder(trx, actor, there.id);
  // Its contents get the client of the folder there, also where the folder itself has one of its own.
  const held = await leavingHold(trx, actor, [{ ...row, client_id: null }], target);
  return held.size > 0 ? { message: HELD, code: 'held' } : null;
}

/**
 * Merges folders, restored under a number since their names are taken, into the folders of those names, as a move does.
 * What cannot be moved stays in the numbered folder.
 * @param folders with their former names.
 * @param result gets the failures, and the folders there in the place of those that were emptied.
 */
export async function mergeRestored(
  dependencies: LinkingDependencies,
  trx: Knex.Transaction,
  actor: Actor,
  folders: readonly (Place & { id: number })[],
  result: Pick<RestoreResult, 'restored' | 'failed'>,
): Promise<void> {
  const move = (contents: MoveRequest) => moveAndMerge(dependencies, trx, actor, contents);
  for (const folder of folders) {
    const there = await findFolderByName(trx, actor, folder);
    // The name belongs to a file, or to a folder that the actor does not see.
    if (!there) continue;
    const { emptied, failed } = await mergeIntoNamesake(trx, actor, folder, folder, move);
    // Trash, where they were, would only fill with empty folders.
    const removed = await removeEmptied(dependencies, trx, actor, emptied, 'delete');
    result.failed.push(...failed, ...removed.failed);
    if (!removed.done.includes(folder.id)) continue;
    const { id, name, parent_id } = there;
    result.restored = result.restored.map((one) => (one.id === folder.id ? { id, name, parent_id } : one));
  }
}
