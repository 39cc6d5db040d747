import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { collectWrites } from '#server/db/collected-writes.ts';
import { AppError, conflict } from '#server/http/errors.ts';
import { refreshActor } from '#server/visibility/refresh-actor.ts';
import type { AdditionDependencies } from '../changes/additions.ts';
import { removeItems } from '../changes/remove.ts';
import { validName } from '../changes/rename.ts';
import { FOLDER_NAME } from '../contract.ts';
import { recordRecentTree } from '../lists/recents.ts';
import { requirePermission } from '../rows.ts';
import type { Staged, Tree } from './stage.ts';
import { addStaged, revealTree } from './stage.ts';

/** How many entries of the history are written by one statement. */
const ENTRIES_AT_ONCE = 500;
const OTHER_CLIENT = 'The folder was given to another client meanwhile. Try again.';

/** Records each copied item, as if it had been added by itself. */
async function recordCopied(
  { audit }: Pick<AdditionDependencies, 'audit'>,
  trx: Knex.Transaction,
  actor: Actor,
  { tree, copy, parent_id }: { tree: Tree; copy: Staged; parent_id: number | null },
): Promise<void> {
  // All of the copy has the same one.
  const clients = await audit.clientsOf(trx, [copy.id]);
  const folderAt = (index: number) => (index < 0 ? copy.id : copy.folders[index]!);
  const items: { id: number; name: string; did: `${string}.${string}`; parent: number | null }[] = [
    { id: copy.id, name: copy.name, did: 'document.folder', parent: parent_id },
    ...tree.folders.map(({ name, parent }, index) => ({
      id: copy.folders[index]!,
      name,
      did: 'document.folder' as const,
      parent: folderAt(parent),
    })),
    ...tree.files.map(({ name, folder }, index) => ({
      id: copy.files[index]!,
      name,
      did: 'document.upload' as const,
      parent: folderAt(folder),
    })),
  ];
  // All writers wait meanwhile, and one statement for each entry of a large folder takes them seconds.
  for (let start = 0; start < items.length; start += ENTRIES_AT_ONCE)
    await collectWrites(trx, async () => {
      for (const { id, name, did, parent } of items.slice(start, start + ENTRIES_AT_ONCE))
        await audit.record(trx, {
          actor,
          did,
          subject: `item:${id}`,
          detail: { name, parent_id: parent },
          concerns: { parents: [parent], clients },
        });
    });
}

/**
 * Adds the copy of a folder, whose bytes are stored, under exactly its name and with the client of its new folder. All of it becomes
 * visible in one transaction, in which `settle` runs: half a copy could not be undone where a retention rule covers it. On rejection the
 * caller has to delete the blobs.
 * @param place.replaced an item that is deleted to make room.
 * @throws {AppError} 403; 409 when the folder changes its client meanwhile; 422 on `name`, `parent_id`; 422 `quota_exceeded`, `sealed`.
 */
export async function addCopy(
  dependencies: AdditionDependencies,
  actor: Actor,
  { parent_id, replaced }: { parent_id: number | null; replaced: number | null },
  tree: Tree,
  settle: (trx: Knex.Transaction, copy: Staged) => Promise<void>,
): Promise<void> {
  requirePermission(actor, 'documents.write');
  validName(tree.name, FOLDER_NAME);
  const { db, clock } = dependencies;
  const clientOf = async (on: Knex): Promise<number | null> =>
    (await on('items').where({ id: parent_id, firm_id: actor.firmId }).first('client_id'))?.client_id ?? null;
  const client_id = await clientOf(db);
  const signal = AbortSignal.any([]);
  await addStaged(dependencies, actor, { tree, client_id, signal }, async (trx, copy) => {
    const present = await refreshActor(trx, actor);
    if ((await clientOf(trx)) !== client_id) throw conflict(OTHER_CLIENT);
    if (replaced !== null) {
      requirePermission(actor, 'documents.delete');
      const { failed } = await removeItems(dependencies, trx, present, { ids: [replaced] });
      if (failed[0]) throw new AppError(403, failed[0].code ?? 'forbidden', failed[0].message);
    }
    await revealTree(dependencies, trx, present, parent_id, copy, { onlyNamed: true });
    await recordCopied(dependencies, trx, actor, { tree, copy, parent_id });
    await recordRecentTree(trx, actor, copy, clock());
    await settle(trx, copy);
  });
}
