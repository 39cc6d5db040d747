import type { ComponentType, ReactNode } from 'react';
import type { ItemView, Sort } from '#server/documents/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/items.ts';
import type { OpenedAt } from '../../components/ContextMenu.tsx';
import { formatDate, formatDateTime } from '../../lib/format.ts';
import { highlightHref } from '../../lib/search.ts';

export interface Column {
  label: string;
  /** The sort key of the header; a column without one is not sortable. */
  by?: Sort;
  className: string;
  /** `whose`: see `Layout.whose`. */
  text: (item: ItemView, whose: string | null) => string | null;
  title?: (item: ItemView, whose: string | null) => string | null;
  /** Cuts a text that is too long in its middle, since its end matters. */
  cutsMiddle?: boolean;
  /** Makes the text a link. */
  href?: (item: ItemView) => string;
}

export interface MenuProps {
  opened: OpenedAt<readonly ItemView[]> | null;
  onClose: () => void;
}

/** The layout of a list. Header and rows share one CSS grid. */
export interface Layout {
  /** The grid's classes, defined in items.css. */
  grid: string;
  nameHref: (item: ItemView) => string;
  /** The client's name; null if the screen shows the client elsewhere. */
  whose: (item: ItemView) => string | null;
  /** Grey texts after the name. `whose`: see `Layout.whose`. */
  beside: (item: ItemView, whose: string | null) => readonly (string | null)[];
  /** The columns after the name. */
  columns: readonly Column[];
  /** The beginning of the second line of a narrow row, which goes on with the texts of `beside`. */
  facts: (item: ItemView) => readonly string[];
  /** Replaces `beside` and the second line, such as by a text-search match. */
  line?: (item: ItemView) => ReactNode;
  /** An icon after the name. */
  mark?: (item: ItemView) => ReactNode;
  /** A button at the end of a row; the list then has no menus but `Menu`. */
  action?: (item: ItemView) => ReactNode;
  /** The context menu, where it is not that of the drive. */
  Menu?: ComponentType<MenuProps>;
  /** Where an item lies, for the second line of a narrow row or a tile and for screen readers. */
  place?: (item: ItemView) => string;
  draggable: boolean;
}

/** The item count of a folder, or the size of a file. */
export const sizeText = (item: ItemView): string =>
  item.type === 'folder' ? t.itemCount(item.children_count ?? 0) : item.size;

export const dateAndSize = (item: ItemView): string[] => [formatDate(item.modified_at), sizeText(item)];

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

/** For items of many folders: each name links to the item's folder. */
export const MANY_FOLDERS: Layout = {
  grid: 'columns list-columns',
  nameHref: highlightHref,
  whose: ({ name, client_name }) => (client_name === name ? null : client_name),
  beside: ({ path }, whose) => [whose, path ? t.inFolder(path) : null],
  columns: [MODIFIED, SIZE],
  facts: dateAndSize,
  draggable: false,
};
