import type { ReactNode } from 'react';
import type { ItemView, Sort } from '#server/documents/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/items.ts';
import { formatDate, formatDateTime } from '../../lib/format.ts';
import { highlightHref } from '../../lib/search.ts';

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
  /** The classes of that grid, of which items.css tells. */
  grid: string;
  nameHref: (item: ItemView) => string;
  /** The client's name, unless something else on the screen says whose it is. */
  whose: (item: ItemView) => string | null;
  /** What stands in grey behind the name. `whose` as told above. */
  beside: (item: ItemView, whose: string | null) => readonly (string | null)[];
  /** Those after the name. */
  columns: readonly Column[];
  /** The size in the second line of a narrow row. */
  size: (item: ItemView) => string;
  /** What stands behind the name in place of that. */
  line?: (item: ItemView) => ReactNode;
  /** A sign behind the name. */
  mark?: (item: ItemView) => ReactNode;
  /** Stands at the end of a row in place of its menu; then there are no menus at all. */
  action?: (item: ItemView) => ReactNode;
  draggable: boolean;
}

/** What a folder holds, or how large a file is. */
export const sizeText = (item: ItemView): string =>
  item.type === 'folder' ? t.itemCount(item.children_count ?? 0) : item.size;

export const NAME = { label: common.name, by: 'name', className: 'list-name min-w-0' } as const;
export const MODIFIED: Column = {
  label: t.modified,
  by: 'modified',
  className: 'list-modified tabular',
  text: (item) => formatDate(item.modified_at),
  title: ({ modified_at, original_at }) =>
    original_at
      ? t.modifiedAndOriginal(formatDateTime(modified_at), formatDateTime(original_at))
      : formatDateTime(modified_at),
};
export const SIZE: Column = {
  label: t.size,
  by: 'size',
  className: 'list-size tabular text-right',
  text: sizeText,
};

/** Items of many folders: each leads to its own. */
export const MANY_FOLDERS: Layout = {
  grid: 'columns list-columns',
  nameHref: highlightHref,
  whose: ({ name, client_name }) => (client_name === name ? null : client_name),
  beside: ({ path }, whose) => [whose, path ? t.inFolder(path) : null],
  columns: [MODIFIED, SIZE],
  size: sizeText,
  draggable: false,
};
