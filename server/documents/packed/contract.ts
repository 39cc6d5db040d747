import { formatBytes } from '#server/text/format-bytes.ts';
import type { FolderListing, ItemView } from '../contract.ts';

/** Milliseconds since 1970, or the text itself where it is not written as we write moments. */
type Moment = number | string;

/**
 * Items a column at a time, without what follows from another column, and with names that stand in many rows said once:
 * a quarter of the bytes of the views that they are unpacked to, since a folder may hold tens of thousands.
 */
export interface PackedItems {
  id: number[];
  name: string[];
  /** Index in `types`; null for a folder. */
  file_type: (number | null)[];
  file_size: (number | null)[];
  created_at: Moment[];
  /** Milliseconds after `created_at`, or as that. */
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
  /** Of few, by their place in the list: a seal, labels, and whatever else a view may say. */
  more: [place: number, said: Partial<ItemView>][];
}

/** A `FolderListing` as the drive asks for it. */
export interface PackedListing extends Omit<FolderListing, 'items'> {
  packed: PackedItems;
}

/** What a column says, or what another one does. */
const SAID = new Set<string>([
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

/** Every view says what the columns say: one that says more has more properties. They are counted without a list of them. */
function saysMore(item: ItemView): boolean {
  let count = 0;
  // oxlint-disable-next-line guard-for-in
  for (const _ in item) count += 1;
  return count > SAID.size;
}

const ISO_LENGTH = '2026-04-01T00:00:00.000Z'.length;
const packMoment = (text: string): Moment =>
  text.length === ISO_LENGTH && text.endsWith('Z') ? Date.parse(text) : text;
const unpackMoment = (moment: Moment): string =>
  typeof moment === 'number' ? new Date(moment).toISOString() : moment;

/** Values that stand in many rows, each once. */
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
  for (const [place, item] of items.entries()) {
    const created = packMoment(item.created_at);
    const modified = item.modified_at === item.created_at ? created : packMoment(item.modified_at);
    const both = typeof created === 'number' && typeof modified === 'number';
    packed.id.push(item.id);
    packed.name.push(item.name);
    packed.file_type.push(item.file_type === null ? null : typeOf(item.file_type, () => item.file_type!));
    packed.file_size.push(item.file_size);
    packed.created_at.push(created);
    packed.modified_at.push(both ? modified - created : item.modified_at);
    packed.original_at.push(item.original_at === null ? null : packMoment(item.original_at));
    packed.children_count.push(item.children_count);
    packed.parent.push(parentOf(item.parent_id, () => item.parent_id));
    packed.client.push(clientOf(item.client_id, () => item.client));
    packed.owner.push(ownerOf(item.owner_id, () => ({ id: item.owner_id, name: item.owner_name })));
    packed.path.push(pathOf(item.path, () => item.path));
    if (item.seal !== null || saysMore(item)) {
      const keys = Object.keys(item) as (keyof ItemView)[];
      const said = keys.filter((key) => !SAID.has(key) || (key === 'seal' && item.seal !== null));
      packed.more.push([place, Object.fromEntries(said.map((key) => [key, item[key]]))]);
    }
  }
  return { ...listing, packed };
}

/** The listing as it was before `pack`. */
export function unpack({ packed, ...listing }: PackedListing): FolderListing {
  const items = packed.id.map((id, place): ItemView => {
    const type = packed.file_type[place]!;
    const bytes = packed.file_size[place]!;
    const formatted = bytes === null ? null : formatBytes(bytes);
    const created = packed.created_at[place]!;
    const modified = packed.modified_at[place]!;
    const original = packed.original_at[place]!;
    const created_at = unpackMoment(created);
    const client = packed.clients[packed.client[place]!]!;
    const owner = packed.owners[packed.owner[place]!]!;
    return {
      id,
      name: packed.name[place]!,
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
      children_count: packed.children_count[place]!,
      parent_id: packed.parents[packed.parent[place]!]!,
      client_id: client?.id ?? null,
      client,
      // A client without a name is one that is not there.
      client_name: client?.name || null,
      owner_id: owner.id,
      owner_name: owner.name,
      path: packed.paths[packed.path[place]!]!,
      seal: null,
    };
  });
  for (const [place, said] of packed.more) Object.assign(items[place]!, said);
  return { ...listing, items };
}
