import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { queryRow } from '#server/db/sql.ts';
import { nameKey, repairName } from '#server/text/file-names.ts';
import { addItem } from '../changes/add-item.ts';
import type { ChangeDependencies } from '../changes/dependencies.ts';
import { keptAmong } from '../retention/guard.ts';
import { topOfClient } from '../rows.ts';
import { sealOver } from '../seals/guard.ts';
import { inTrash } from '../trash/visible.ts';
import { markSeen, unseenOf } from './unseen.ts';

interface Client {
  id: number;
  /** As the name of a folder. */
  name: string;
}

/** Finds the folders that a kind of link has made for documents of a client. */
type LinkFolders = (db: Knex, of: { firm_id: number; client_id: number }) => Promise<number[]>;

/** Folders for documents received from outside the firm. */
export function createIncoming(dependencies: ChangeDependencies) {
  const linkFolders: LinkFolders[] = [];

  /**
   * The client's own folder: the topmost one with the client's name, perhaps numbered because the name was taken, or
   * the only topmost one that no link has made.
   */
  async function homeOf(trx: Knex.Transaction, firm_id: number, client: Client): Promise<number | undefined> {
    const client_id = client.id;
    const tops: { id: number; name: string }[] = await trx('items')
      .where({ client_id, firm_id, type: 'folder', sealed: null })
      .whereRaw(topOfClient('items'), [client_id])
      .orderBy('id')
      .select('id', 'name');
    const key = nameKey(client.name);
    const named =
      tops.find(({ name }) => nameKey(name) === key) ??
      tops.find(({ name }) => nameKey(name.replace(/ \(\d+\)$/, '')) === key);
    if (named) return named.id;
    const made = new Set(
      (await Promise.all(linkFolders.map((find) => find(trx, { firm_id, client_id })))).flat(),
    );
    const others = tops.filter(({ id }) => !made.has(id));
    return others.length === 1 ? others[0]!.id : undefined;
  }

  return {
    /** Registers how the folders that a kind of link made are found: they are never taken for a client's own. */
    registerLinkFolders: (find: LinkFolders): void => void linkFolders.push(find),

    /**
     * The folder for documents received for a client: the `known` one or, when that is deleted, sealed or no longer the
     * client's, a new one in the client's own folder, which is made if there is none.
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
      const now = dependencies.clock().toISOString();
      const make = async (folder: string, parent_id: number | null): Promise<number> => {
        const item = { name: folder, parent_id, client_id, file: null, now };
        return (await addItem(dependencies, trx, actor, item, { keepBoth: true })).id;
      };
      const client = await trx('clients')
        .where({ id: client_id ?? 0, firm_id: actor.firmId })
        .first('name');
      if (!client) return make(repairName(name), null);
      const own = repairName(client.name);
      const home = await homeOf(trx, actor.firmId, { id: client_id!, name: own });
      return make(repairName(name), home ?? (await make(own, null)));
    },

    /** See `unseenOf`. */
    unseen: unseenOf,

    /** See `inTrash`. */
    inTrash,

    /** See `markSeen`. */
    markSeen,

    /** The files among these that can go to Trash: none on a server without it, nor under a seal or a retention rule. */
    async deletable(db: Knex, { firmId: firm_id }: Pick<Actor, 'firmId'>, ids: number[]): Promise<number[]> {
      if (dependencies.trashDays === 0) return [];
      const free: number[] = await db('items')
        .where({ firm_id })
        .whereIn('id', ids)
        .whereRaw(`${sealOver('items')} IS NULL`)
        .pluck('id');
      const kept = await keptAmong(db, firm_id, free, dependencies.clock());
      return free.filter((id) => !kept.has(id));
    },
  };
}
export type Incoming = ReturnType<typeof createIncoming>;
