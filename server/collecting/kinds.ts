import type { Knex } from 'knex';
import type { Door } from './contract.ts';
import type { DoorKind } from './dependencies.ts';

/** The registered kinds of links, by the first word of a door's key. */
export function createKinds() {
  const kinds = new Map<string, DoorKind>();
  const of = (key: string): DoorKind => {
    const kind = kinds.get(key.slice(0, key.indexOf(':')));
    if (!kind) throw new Error(`Nobody has said what comes in by ${key}.`);
    return kind;
  };
  const idOf = (key: string): number => Number(key.slice(key.indexOf(':') + 1));

  return {
    add: (name: string, kind: DoorKind): void => void kinds.set(name, kind),
    of,
    idOf,
    find: (db: Knex, key: string, how = { taken: false }): Promise<Door | null> =>
      of(key).find(db, idOf(key), how),
  };
}
export type Kinds = ReturnType<typeof createKinds>;
