import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { mergeIntoNamesake } from '../changes/merge-moved.ts';
import type { MoveRequest } from '../changes/move.ts';
import { moveItems } from '../changes/move.ts';
import type { ChosenItem } from '../changes/remove.ts';
import { findFolderByName } from '../changes/set-aside.ts';
import type { LinkingDependencies } from '../changes/set-client.ts';
import { sealOfFolder, sealedMessage } from '../seals/guard.ts';
import type { RestoreResult } from './contract.ts';

type Place = Pick<MoveRequest, 'parent_id'> & Pick<ChosenItem, 'name'>;

/** Why the folder of this name takes nothing in; null if it does, and without such a folder. */
export async function sealOfNamesake(
  trx: Knex.Transaction,
  actor: Actor,
  place: Place,
): Promise<string | null> {
  const there = await findFolderByName(trx, actor, place);
  const seal = there && (await sealOfFolder(trx, actor, there.id));
  return seal && sealedMessage(seal);
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
  const move = (contents: MoveRequest) => moveItems(dependencies, trx, actor, contents);
  for (const folder of folders) {
    const there = await findFolderByName(trx, actor, folder);
    // The name belongs to a file, or to a folder that the actor does not see.
    if (!there) continue;
    const { merged, failed } = await mergeIntoNamesake(dependencies, trx, actor, folder, folder, move);
    result.failed.push(...failed);
    if (merged.length === 0) continue;
    const { id, name, parent_id } = there;
    result.restored = result.restored.map((one) => (one.id === folder.id ? { id, name, parent_id } : one));
  }
}
