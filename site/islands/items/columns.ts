import type { ReactNode } from 'react';
import type { ItemView, Sort } from '#server/documents/contract.ts';
import { formatDate, formatMoment, plural } from '../../lib/format.ts';
import { placeOf } from '../../lib/search.ts';
import type { Place } from '../../lib/place.ts';
import { addressOf } from '../../lib/place.ts';

export interface Column {
  label: string;
  /** What a press on the head sorts by; a column without it does not sort. */
  by?: Sort;
  className: string;
  /** `whose` is the client's name, unless something else says so. */
  text: (item: ItemView, whose: string | null) => string | null;
  title?: (item: ItemView, whose: string | null) => string | null;
  /** Where the text leads to. */
  href?: (item: ItemView) => string;
}

/** How a list lays its items out; its head and its rows stand on one grid. */
export interface Layout {
  grid: string;
  nameHref: (item: ItemView, place: Place) => string;
  /** What stands in grey behind the name. `whose` is the client's, unless something else says so. */
  beside: (item: ItemView, place: Place, whose: string | null) => readonly (string | null)[];
  /** Those after the name. */
  columns: readonly Column[];
  /** The size in the second line of a narrow row. */
  size: (item: ItemView) => string;
  /** A sign behind the name. */
  mark?: (item: ItemView) => ReactNode;
  /** Stands at the end of a row in place of its menu; then there are no menus at all. */
  action?: (item: ItemView) => ReactNode;
  draggable: boolean;
}

export const addressOfItem = (item: ItemView, place: Place): string =>
  item.type === 'folder'
    ? addressOf({ folderId: item.id, client: place.client })
    : addressOf({ ...place, previewId: item.id, highlightId: null });

/** What a folder holds, or how large a file is. */
export const sizeText = (item: ItemView): string =>
  item.type === 'folder' ? plural(item.children_count ?? 0, 'item') : item.size;

export const NAME = { label: 'Name', by: 'name', className: 'list-name min-w-0' } as const;
export const MODIFIED: Column = {
  label: 'Modified',
  by: 'modified',
  className: 'list-modified tabular',
  text: (item) => formatDate(item.modified_at),
  title: ({ modified_at, original_at }) =>
    original_at
      ? `Modified ${formatMoment(modified_at)}\nOriginal date ${formatMoment(original_at)}`
      : formatMoment(modified_at),
};
export const SIZE: Column = {
  label: 'Size',
  by: 'size',
  className: 'list-size tabular text-right',
  text: sizeText,
};

export const FOLDER: Layout = {
  grid: 'list-columns',
  nameHref: addressOfItem,
  beside: ({ path }, _place, whose) => [whose, path ? `in ${path}` : null],
  columns: [
    {
      label: 'Owner',
      by: 'owner',
      className: 'list-owner',
      text: (item) => item.owner_name,
      title: (item) => item.owner_name,
    },
    MODIFIED,
    SIZE,
  ],
  size: sizeText,
  draggable: true,
};

/** As FOLDER, where there are clients to name: wide screens have a column for them. */
export const FOLDER_OF_CLIENTS: Layout = {
  ...FOLDER,
  grid: 'list-columns with-client',
  columns: [
    {
      label: 'Client',
      className: 'list-client text-text!',
      text: (_item, whose) => whose,
      title: (_item, whose) => whose,
    },
    ...FOLDER.columns,
  ],
};

const folderOf = ({ path }: ItemView): string => path || 'My Drive';

/** Files of many folders, sorted by what the server keeps in order. */
export const ALL_FILES: Layout = {
  grid: 'files-columns',
  nameHref: placeOf,
  beside: () => [],
  columns: [
    {
      label: 'Client',
      className: 'files-client',
      text: (item) => item.client_name,
      title: (item) => item.client_name,
    },
    {
      label: 'Folder',
      className: 'files-folder',
      text: folderOf,
      title: (item) => `Show in ${folderOf(item)}`,
      href: placeOf,
    },
    MODIFIED,
    SIZE,
  ],
  size: sizeText,
  draggable: false,
};
