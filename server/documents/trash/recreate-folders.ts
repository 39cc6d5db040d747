import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { BOUND_IDS, bindList, queryRow, queryRows } from '#server/db/sql.ts';
import { nameKey } from '#server/text/file-names.ts';
import { addItem } from '../changes/add-item.ts';
import { andVisible } from '#server/visibility/visible.ts';
import type { ChangeDependencies } from '../changes/dependencies.ts';
import type { FolderAbove } from './move-to-trash.ts';

/**
 * Finds or recreates former folders. Existing folders are found by id, even if renamed or moved meanwhile; below the last
 * existing one, folders are found by name or created.
 */
export function createFolderRecreation(
  dependencies: ChangeDependencies,
  trx: Knex.Transaction,
  actor: Actor,
) {
  const made = new Map<string, number>();
  const remade: string[] = [];
  const there = new Set<number>();
  // Without a visibility check: the folders must be found even if the actor does not see them.
  const whole: Actor = { ...actor, clientScope: 'all' };

  async function lookFor(ways: readonly (readonly FolderAbove[])[]): Promise<void> {
    const unknown = new Set(ways.flatMap((folders) => folders.map(({ id }) => id))).difference(there);
    if (unknown.size === 0) return;
    const rows = await queryRows<{ id: number }>(
      trx,
      `SELECT id FROM items WHERE id IN (${BOUND_IDS}) AND type = 'folder'`,
      [bindList(unknown)],
    );
    for (const { id } of rows) there.add(id);
  }

  async function folderNamed(parent_id: number | null, { name, client_id }: FolderAbove): Promise<number> {
    const key = `${parent_id ?? 0}/${nameKey(name)}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const found = await queryRow<{ id: number }>(
      trx,
      `SELECT id FROM items WHERE firm_id = ? AND coalesce(parent_id, 0) = ? AND name_key = ? AND type = 'folder'${andVisible(actor)}`,
      [actor.firmId, parent_id ?? 0, nameKey(name)],
    );
    let id = found?.id;
    if (id === undefined) {
      const client =
        client_id !== null &&
        (await trx('clients').where({ id: client_id, firm_id: actor.firmId }).first('id'));
      const item = {
        name,
        parent_id,
        client_id: client ? client_id : null,
        file: null,
        now: dependencies.clock().toISOString(),
      };
      ({ id } = await addItem(dependencies, trx, whole, item, { keepBoth: true }));
      remade.push(name);
    }
    made.set(key, id);
    return id;
  }

  async function folderFor(folders: readonly FolderAbove[]): Promise<number | null> {
    const index = folders.findLastIndex(({ id }) => there.has(id));
    let home: number | null = folders[index]?.id ?? null;
    for (const folder of folders.slice(index + 1)) home = await folderNamed(home, folder);
    return home;
  }

  return {
    /** Names of the folders that were created. */
    remade,
    /**
     * @param ways paths to the folders, root first.
     * @returns the folders' ids in the same order; null for 'My Drive'.
     */
    async foldersFor(ways: readonly (readonly FolderAbove[])[]): Promise<(number | null)[]> {
      await lookFor(ways);
      const homes: (number | null)[] = [];
      for (const folders of ways) homes.push(await folderFor(folders));
      return homes;
    },
  };
}
