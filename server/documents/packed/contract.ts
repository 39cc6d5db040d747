import { formatBytes } from '#server/text/format-bytes.ts';
import type { FolderListing, ItemView } from '../contract.ts';

/** Milliseconds since 1970, or the original text when it is not in the form of `toISOString`. */
type Moment = number | string;

/**
 * Items in columns, without derivable columns, and with dictionaries for values that occur in many rows. Takes a quarter
 * of the bytes of the views: a folder may contain tens of thousands of items.
 */
export interface PackedItems {
  id: number[];
  name: string[];
  /** Index in `types`; null for a folder. */
  file_type: (number | null)[];
  file_size: (number | null)[];
  created_at: Moment[];
  /** Milliseconds after `created_at` when both are numbers; otherwise text. */
  modified_at: Moment[];
  original_at: (Moment | null)[];
  children_count: (number | null)[];
  /** Indexes in `parents`, `clients`, `owners`, `paths`. */
  parent: number[];
  client: number[];
  owner: number[];
  path: number[];
  types: string[];
  parents: (number | null)[];
  clients: (ItemView['client'] | null)[];
  owners: { id: number; name: string }[];
  paths: (string | null)[];
  /** Rarely set properties (a seal, labels and other optional ones), by row index. */
  more: [index: number, extra: Partial<ItemView>][];
}

/** A `FolderListing` as the site's drive requests it, with `form=packed`. */
export interface PackedListing extends Omit<FolderListing, 'items'> {
  packed: PackedItems;
}

/** Properties that the columns contain or imply; `seal` is only covered when null. */
const COVERED = new Set<string>([
  'id',
  'name',
  'type',
  'file_type',
  'file_size',
  'formatted_file_size',
  'size',
  'created_at',
  'modified_at',
  'uploaded_at',
  'original_at',
  'children_count',
  'parent_id',
  'client_id',
  'client',
  'client_name',
  'owner_id',
  'owner_name',
  'path',
  'seal',
] satisfies (keyof ItemView)[]);

/** Every view has the covered properties: one with more properties has others. Counts without allocating a list of keys. */
function hasMore(item: ItemView): boolean {
  let count = 0;
  // oxlint-disable-next-line guard-for-in
  for (const _ in item) count += 1;
  return count > COVERED.size;
}

const ISO_LENGTH = '2026-04-01T00:00:00.000Z'.length;
const packMoment = (text: string): Moment =>
  text.length === ISO_LENGTH && text.endsWith('Z') ? Date.parse(text) : text;
const unpackMoment = (moment: Moment): string =>
  typeof moment === 'number' ? new Date(moment).toISOString() : moment;

/** Returns the index of a key's value, and appends the value to `values` when the key is new. */
function dictionary<Key, Value>(values: Value[]): (key: Key, value: () => Value) => number {
  const known = new Map<Key, number>();
  return (key, value) => {
    let index = known.get(key);
    if (index === undefined) {
      index = values.push(value()) - 1;
      known.set(key, index);
    }
    return index;
  };
}

export function pack({ items, ...listing }: FolderListing): PackedListing {
  const packed: PackedItems = {
    id: [],
    name: [],
    file_type: [],
    file_size: [],
    created_at: [],
    modified_at: [],
    original_at: [],
    children_count: [],
    parent: [],
    client: [],
    owner: [],
    path: [],
    types: [],
    parents: [],
    clients: [],
    owners: [],
    paths: [],
    more: [],
  };
  const typeOf = dictionary<string, string>(packed.types);
  const parentOf = dictionary<number | null, number | null>(packed.parents);
  const clientOf = dictionary<number | null, ItemView['client']>(packed.clients);
  const ownerOf = dictionary<number, { id: number; name: string }>(packed.owners);
  const pathOf = dictionary<string | null, string | null>(packed.paths);
  for (const [index, item] of items.entries()) {
    const created = packMoment(item.created_at);
    const modified = item.modified_at === item.created_at ? created : packMoment(item.modified_at);
    const areNumbers = typeof created === 'number' && typeof modified === 'number';
    packed.id.push(item.id);
    packed.name.push(item.name);
    packed.file_type.push(item.file_type === null ? null : typeOf(item.file_type, () => item.file_type!));
    packed.file_size.push(item.file_size);
    packed.created_at.push(created);
    packed.modified_at.push(areNumbers ? modified - created : item.modified_at);
    packed.original_at.push(item.original_at === null ? null : packMoment(item.original_at));
    packed.children_count.push(item.children_count);
    packed.parent.push(parentOf(item.parent_id, () => item.parent_id));
    packed.client.push(clientOf(item.client_id, () => item.client));
    packed.owner.push(ownerOf(item.owner_id, () => ({ id: item.owner_id, name: item.owner_name })));
    packed.path.push(pathOf(item.path, () => item.path));
    if (item.seal !== null || hasMore(item)) {
      const keys = Object.keys(item) as (keyof ItemView)[];
      const extra = keys.filter((key) => !COVERED.has(key) || (key === 'seal' && item.seal !== null));
      packed.more.push([index, Object.fromEntries(extra.map((key) => [key, item[key]]))]);
    }
  }
  return { ...listing, packed };
}

/** Reverses `pack`. */
export function unpack({ packed, ...listing }: PackedListing): FolderListing {
  const items = packed.id.map((id, index): ItemView => {
    const type = packed.file_type[index]!;
    const bytes = packed.file_size[index]!;
    const formatted = bytes === null ? null : formatBytes(bytes);
    const created = packed.created_at[index]!;
    const modified = packed.modified_at[index]!;
    const original = packed.original_at[index]!;
    const created_at = unpackMoment(created);
    const client = packed.clients[packed.client[index]!]!;
    const owner = packed.owners[packed.owner[index]!]!;
    return {
      id,
      name: packed.name[index]!,
      type: type === null ? 'folder' : 'file',
      file_type: type === null ? null : packed.types[type]!,
      file_size: bytes,
      formatted_file_size: formatted,
      size: formatted ?? '',
      created_at,
      modified_at:
        typeof created === 'number' && typeof modified === 'number'
          ? unpackMoment(created + modified)
          : unpackMoment(modified),
      uploaded_at: created_at,
      original_at: original === null ? null : unpackMoment(original),
      children_count: packed.children_count[index]!,
      parent_id: packed.parents[packed.parent[index]!]!,
      client_id: client?.id ?? null,
      client,
      // An empty name stands for a missing client.
      client_name: client?.name || null,
      owner_id: owner.id,
      owner_name: owner.name,
      path: packed.paths[packed.path[index]!]!,
      seal: null,
    };
  });
  for (const [index, extra] of packed.more) Object.assign(items[index]!, extra);
  return { ...listing, items };
}
