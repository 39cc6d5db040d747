import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { queryRow } from '#server/db/sql.ts';
import { nameKey, repairName } from '#server/text/names.ts';
import { addItem } from '../changes/add-item.ts';
import type { ChangeParts } from '../changes/parts.ts';
import { topOfClient } from '../rows.ts';
import { unseenOf } from './unseen.ts';

/** Folders for what comes from outside of the firm. */
export function createIncoming(parts: ChangeParts) {
  return {
    /**
     * The folder into which something for a client is put: the one that is known, or where that is deleted, sealed or
     * moved to somebody else, a new one; below the client's own folder if there is one.
     * @returns its id.
     */
    async folderFor(
      trx: Knex.Transaction,
      actor: Actor,
      { known, client_id, name }: { known: number | null; client_id: number | null; name: string },
    ): Promise<number> {
      const still = await queryRow<{ id: number }>(
        trx,
        `SELECT id FROM items WHERE id = ? AND firm_id = ? AND type = 'folder' AND sealed IS NULL
         AND scope_client_id = ?`,
        [known ?? 0, actor.firmId, client_id ?? 0],
      );
      if (still) return still.id;
      const parent = client_id === null ? undefined : await this.folderOf(trx, actor, client_id);
      const folder = { name: repairName(name), parent_id: parent ?? null, client_id, file: null };
      const now = parts.clock().toISOString();
      return (await addItem(parts, trx, actor, { ...folder, now }, { keepBoth: true })).id;
    },

    /** The client's own folder: the topmost one that is called as the client, or else the only one there is. */
    async folderOf(trx: Knex.Transaction, actor: Actor, client_id: number): Promise<number | undefined> {
      const client = await trx('clients').where({ id: client_id, firm_id: actor.firmId }).first('name');
      if (!client) return undefined;
      const tops = await trx('items')
        .where({ client_id, firm_id: actor.firmId, type: 'folder', sealed: null })
        .whereRaw(topOfClient('items'), [client_id])
        .orderBy('id')
        .limit(200)
        .select('id', 'name_key');
      const called = tops.find(({ name_key }: { name_key: string }) => name_key === nameKey(client.name));
      return called?.id ?? (tops.length === 1 ? tops[0].id : undefined);
    },

    /** Of these items, those that nobody of the firm has opened or changed yet. */
    unseen: unseenOf,
  };
}
export type Incoming = ReturnType<typeof createIncoming>;
