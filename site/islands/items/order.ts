import type { ItemView, Sort } from '#server/documents/contract.ts';

export interface Sorting {
  by: Sort;
  descending: boolean;
}

export const BY_NAME: Sorting = { by: 'name', descending: false };

/**
 * The items in the wanted order, folders always first. `items` come from the server in natural name order (`2` before
 * `10`), which is therefore never computed again here: it decides between equals, and 20,000 rows sort at once.
 */
export function sorted<Item extends ItemView>(items: readonly Item[], { by, descending }: Sorting): Item[] {
  const folders = items.filter((item) => item.type === 'folder');
  const files = items.filter((item) => item.type === 'file');
  const arrange = (group: Item[]) => {
    if (by === 'name') return descending ? group.toReversed() : group;
    const compare = comparison(by, group);
    const sign = descending ? -1 : 1;
    return group.toSorted((a, b) => sign * compare(a, b));
  };
  return [...arrange(folders), ...arrange(files)];
}

type Compare = (a: ItemView, b: ItemView) => number;

function comparison(by: Exclude<Sort, 'name'>, group: readonly ItemView[]): Compare {
  if (by === 'size') return (a, b) => weight(a) - weight(b);
  // ISO 8601 in UTC sorts as text.
  if (by === 'modified')
    return (a, b) => (a.modified_at < b.modified_at ? -1 : a.modified_at > b.modified_at ? 1 : 0);
  const names = [...new Set(group.map((item) => item.owner_name))].toSorted(
    new Intl.Collator('en-IN').compare,
  );
  const rank = new Map(names.map((name, index) => [name, index]));
  return (a, b) => (rank.get(a.owner_name) ?? 0) - (rank.get(b.owner_name) ?? 0);
}

const weight = (item: ItemView): number => item.file_size ?? item.children_count ?? 0;

/** A second press on the same column turns it round; dates and sizes begin with the newest and the largest. */
export function nextSorting(now: Sorting, by: Sort): Sorting {
  if (now.by === by) return { by, descending: !now.descending };
  return { by, descending: by === 'modified' || by === 'size' };
}
