/** A wanted change of a name, by the keys of the names in their folders. No two of them come from the same key. */
export interface NameChange {
  id: number;
  from: string;
  to: string;
}

/**
 * Finds the changes, of some that are made together, whose name stays taken: by an item that keeps it, or by an earlier
 * change. Names may be exchanged, as in `a` to `b` and `b` to `a`.
 * @param isTaken whether any item has this key now, also one that is to leave it.
 */
export function findTaken(
  changes: readonly NameChange[],
  isTaken: (key: string) => boolean,
): ReadonlySet<number> {
  const holders = new Map(changes.map(({ id, from }) => [from, id]));
  // First those that change only the case of their name, which nobody else can have.
  const ordered = changes.toSorted((a, b) => Number(a.from !== a.to) - Number(b.from !== b.to));
  const refused = new Set<number>();
  // Whoever is refused keeps a name that another one may have counted on.
  for (let before = -1; before < refused.size;) {
    before = refused.size;
    const given = new Set<string>();
    for (const { id, to } of ordered) {
      if (refused.has(id)) continue;
      const holder = holders.get(to);
      const stays = holder === undefined ? isTaken(to) : refused.has(holder);
      if (stays || given.has(to)) refused.add(id);
      else given.add(to);
    }
  }
  return refused;
}
