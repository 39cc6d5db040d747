import type { Knex } from 'knex';

/** The `firm_id` of deleted clients whose rows are not removed yet. */
export const NO_FIRM = 0;

interface DeletionDependencies {
  db: Knex;
  /** Unlinks a client from a batch of its items in a short transaction. @returns the number of items; 0 at the end. */
  unlink: (clientId: number) => Promise<number>;
}

/** Removes the rows of deleted clients. */
export function createDeletion({ db, unlink }: DeletionDependencies) {
  const firstDeleted = (): Promise<{ id: number } | undefined> =>
    db('clients').where('firm_id', NO_FIRM).first('id');

  return {
    /** Whether `forgetDeleted` has work to do. */
    anyDeleted: async (): Promise<boolean> => (await firstDeleted()) !== undefined,

    /** Unlinks deleted clients from their items, then deletes their rows. @returns the number of clients. */
    async forgetDeleted(signal?: AbortSignal): Promise<number> {
      for (let count = 0; ; count += 1) {
        const client = await firstDeleted();
        if (!client) return count;
        while ((await unlink(client.id)) > 0) if (signal?.aborted) return count;
        await db('clients').where({ id: client.id, firm_id: NO_FIRM }).delete();
      }
    },
  };
}
