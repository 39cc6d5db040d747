import type { Knex } from 'knex';
import { EACH, list, queryRows } from '#server/db/sql.ts';
import { DavError } from './errors.ts';

/** Of one item, and characters of one value. */
const LIMITS = { properties: 64, characters: 8192 };

/** Properties of the protocol that mean nothing to us: kept as programs set them, to be read again. */
export function createKeptProperties({ db }: { db: Knex }) {
  return {
    /** By item, each by its name with the value written out. */
    async of(ids: readonly (number | null)[]): Promise<Map<number, Map<string, string>>> {
      const known = ids.filter((id) => id !== null);
      const all = new Map<number, Map<string, string>>();
      // Hardly anybody sets any.
      if (known.length === 0 || !(await db('dav_properties').first('item_id'))) return all;
      const rows = await queryRows<{ item_id: number; property: string; value: string }>(
        db,
        `SELECT item_id, property, value FROM dav_properties WHERE item_id IN (${EACH}) ORDER BY property`,
        [list(known)],
      );
      for (const { item_id, property, value } of rows) {
        const own = all.get(item_id) ?? new Map<string, string>();
        all.set(item_id, own.set(property, value));
      }
      return all;
    },

    /** Sets and takes away (null) what a program asks for, all or nothing. @throws {AppError} 507 for too much. */
    async change(id: number, changes: ReadonlyMap<string, string | null>): Promise<void> {
      await db.transaction(async (trx) => {
        for (const [property, value] of changes) {
          if (value === null) await trx('dav_properties').where({ item_id: id, property }).delete();
          else {
            if (value.length > LIMITS.characters)
              throw new DavError(507, 'property_too_large', '', 'The property is too large to be kept.');
            await trx('dav_properties')
              .insert({ item_id: id, property, value })
              .onConflict(['item_id', 'property'])
              .merge();
          }
        }
        const count = await trx('dav_properties').where({ item_id: id }).count({ n: '*' }).first();
        if (Number(count?.n) > LIMITS.properties)
          throw new DavError(507, 'too_many_properties', '', 'The file has too many properties of programs.');
      });
    },

    /** Gives a copy what its original has. */
    async copy(from: number, to: number): Promise<void> {
      const own = (await this.of([from])).get(from);
      if (own) await this.change(to, own);
    },
  };
}
export type KeptProperties = ReturnType<typeof createKeptProperties>;
