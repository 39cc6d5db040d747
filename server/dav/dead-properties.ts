import type { Knex } from 'knex';
import { BOUND_IDS, bindList, queryRows } from '#server/db/sql.ts';
import { DavError } from './errors.ts';

/** Properties per item, and characters per value. */
const LIMITS = { properties: 64, characters: 8192 };

async function changeWithin(
  trx: Knex.Transaction,
  id: number,
  changes: ReadonlyMap<string, string | null>,
): Promise<void> {
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
}

async function propertiesOf(
  db: Knex,
  ids: readonly (number | null)[],
): Promise<Map<number, Map<string, string>>> {
  const known = ids.filter((id) => id !== null);
  const all = new Map<number, Map<string, string>>();
  // Hardly any client sets properties.
  if (known.length === 0 || !(await db('dav_properties').first('item_id'))) return all;
  const rows = await queryRows<{ item_id: number; property: string; value: string }>(
    db,
    `SELECT item_id, property, value FROM dav_properties WHERE item_id IN (${BOUND_IDS}) ORDER BY property`,
    [bindList(known)],
  );
  for (const { item_id, property, value } of rows) {
    const properties = all.get(item_id) ?? new Map<string, string>();
    all.set(item_id, properties.set(property, value));
  }
  return all;
}

/** Dead properties (RFC 4918): properties without a meaning to the server, stored and returned as clients set them. */
export function createDeadProperties({ db }: { db: Knex }) {
  return {
    /** Serialized values by item and property name. */
    of: (ids: readonly (number | null)[]): Promise<Map<number, Map<string, string>>> => propertiesOf(db, ids),

    /**
     * Sets properties, or removes them (null); all or nothing.
     * @throws {AppError} 507 beyond the limits.
     */
    change: (id: number, changes: ReadonlyMap<string, string | null>): Promise<void> =>
      db.transaction((trx) => changeWithin(trx, id, changes)),

    /** Copies all properties of items to others, in the caller's transaction. @throws {AppError} 507 beyond the limits. */
    async copyWithin(trx: Knex.Transaction, pairs: ReadonlyMap<number, number>): Promise<void> {
      for (const [from, properties] of await propertiesOf(trx, [...pairs.keys()]))
        await changeWithin(trx, pairs.get(from)!, properties);
    },

    /** Copies all properties of one item to another. */
    async copy(from: number, to: number): Promise<void> {
      const properties = (await this.of([from])).get(from);
      if (properties) await this.change(to, properties);
    },
  };
}
export type DeadProperties = ReturnType<typeof createDeadProperties>;
