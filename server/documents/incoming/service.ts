import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { queryRow } from '#server/db/sql.ts';
import { nameKey, repairName } from '#server/text/file-names.ts';
import { addItem } from '../changes/add-item.ts';
import type { ChangeDependencies } from '../changes/dependencies.ts';
import { topOfClient } from '../rows.ts';
import { unseenOf } from './unseen.ts';

/** Folders for documents received from outside the firm. */
export function createIncoming(dependencies: ChangeDependencies) {
  return {
    /**
     * The folder for documents received for a client: the `known` one or, when that is deleted, sealed or no longer the
     * client's, a new one in the client's own folder if there is one.
     * @returns the folder's id.
     */
    async folderFor(
      trx: Knex.Transaction,
      actor: Actor,
      { known, client_id, name }: { known: number | null; client_id: number | null; name: string },
    ): Promise<number> {
      const existing = await queryRow<{ id: number }>(
        trx,
        `SELECT id FROM items WHERE id = ? AND firm_id = ? AND type = 'folder' AND sealed IS NULL
         AND scope_client_id = ?`,
        [known ?? 0, actor.firmId, client_id ?? 0],
      );
      if (existing) return existing.id;
      const parent = client_id === null ? undefined : await this.folderOf(trx, actor, client_id);
      const folder = { name: repairName(name), parent_id: parent ?? null, client_id, file: null };
      const now = dependencies.clock().toISOString();
      return (await addItem(dependencies, trx, actor, { ...folder, now }, { keepBoth: true })).id;
    },

    /** The client's own folder: the topmost one with the client's name or, when there is exactly one topmost folder, that. */
    async folderOf(trx: Knex.Transaction, actor: Actor, client_id: number): Promise<number | undefined> {
      const client = await trx('clients').where({ id: client_id, firm_id: actor.firmId }).first('name');
      if (!client) return undefined;
      const tops = await trx('items')
        .where({ client_id, firm_id: actor.firmId, type: 'folder', sealed: null })
        .whereRaw(topOfClient('items'), [client_id])
        .orderBy('id')
        .limit(200)
        .select('id', 'name_key');
      const sameName = tops.find(({ name_key }: { name_key: string }) => name_key === nameKey(client.name));
      return sameName?.id ?? (tops.length === 1 ? tops[0].id : undefined);
    },

    /** See `unseenOf`. */
    unseen: unseenOf,
  };
}
export type Incoming = ReturnType<typeof createIncoming>;
