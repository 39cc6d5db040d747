import type { Knex } from 'knex';

/** The firm of what is nobody's; its clients are those that were deleted. */
export const NOBODY = 0;

export interface ForgettingParts {
  db: Knex;
  /** Takes a client off some of its items, in a short transaction. @returns how many; 0 when there are no more. */
  unlink: (clientId: number) => Promise<number>;
}

/** Takes the rows of deleted clients away. */
export function createDeletion({ db, unlink }: ForgettingParts) {
  const deleted = (): Promise<{ id: number } | undefined> =>
    db('clients').where('firm_id', NOBODY).first('id');

  return {
    /** Whether there is anything for `forgetDeleted`. */
    anyDeleted: async (): Promise<boolean> => (await deleted()) !== undefined,

    /** Takes deleted clients off their items, and then their rows away. @returns how many clients. */
    async forgetDeleted(signal?: AbortSignal): Promise<number> {
      for (let gone = 0; ; gone += 1) {
        const client = await deleted();
        if (!client) return gone;
        while ((await unlink(client.id)) > 0) if (signal?.aborted) return gone;
        await db('clients').where({ id: client.id, firm_id: NOBODY }).delete();
      }
    },
  };
}
