import type { Dispatch, ReactNode } from 'react';
import { createContext, useContext } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import type { ClientRef } from '../../lib/driveLocation.ts';
import type { Actions } from './actions.ts';
import type { Layout } from './columns.ts';
import type { Sorting } from './order.ts';
import type { Selection, SelectionEvent } from './selection.ts';

/** The items of a list, in display order. */
export interface Rows {
  items: readonly ItemView[];
  /** Their ids. */
  order: readonly number[];
  byId: ReadonlyMap<number, ItemView>;
  /** Whether `items` belong to the current query, and not to the previous one. */
  ready: boolean;
  /** The part of the list that is not loaded yet; undefined when everything is. */
  rest?: Rest | undefined;
}

export interface Rest {
  /** The number of items in the complete list; null while it is not known. */
  total: number | null;
  /** The text of the button that selects the complete list. */
  text: ReactNode;
  /** Loads the rest, and selects everything. */
  select: () => void;
  /** Cancels that; null while nothing is being loaded. */
  stop: (() => void) | null;
}

/** The state of any list of items: rows, layout, sorting and selection. */
export interface ItemListModel {
  rows: Rows;
  view: 'list' | 'grid';
  layout: Layout;
  sorting: Sorting;
  sortBy: (sorting: Sorting) => void;
  selection: Selection;
  send: Dispatch<SelectionEvent>;
  /** The selected items that are in the list. */
  chosen: readonly ItemView[];
  /** Selection mode: a tap selects instead of opening. */
  selecting: boolean;
  setSelecting: (on: boolean) => void;
  /** The row that is highlighted for a few seconds. */
  marked: number | null;
  /** The screen has a details panel: `i` toggles it, and is a typeahead letter only if another letter follows. */
  hasDetails?: boolean;
  /** Rows shown dimmed, such as cut ones. */
  faded: ReadonlySet<number>;
  open: (item: ItemView) => void;
}

/** The open dialog, with its subject. */
export type DialogState =
  | { dialog: 'folder' }
  | { dialog: 'rename'; items: readonly ItemView[] }
  | { dialog: 'client'; items: readonly ItemView[] }
  | { dialog: 'labels'; items: readonly ItemView[] }
  | { dialog: 'move'; items: readonly ItemView[] }
  | { dialog: 'share'; items: readonly ItemView[] }
  | { dialog: 'access'; item: ItemView }
  | { dialog: 'inbox'; item: ItemView }
  | { dialog: 'versions'; item: ItemView }
  /** Seals the item, or shows its seal. */
  | { dialog: 'seal'; item: ItemView }
  | { dialog: 'upload' }
  | { dialog: 'pages' }
  | { dialog: 'extract'; item: ItemView }
  | { dialog: 'failures'; title: string; failures: readonly { name: string; message: string }[] };

/** The open folder, to which new items go; 'My Drive' on a screen that lists items of many folders. */
export interface OpenFolder {
  id: number | null;
  name: string;
  /** The folder names from the root, separated by ` / `; '' at the root. */
  path: string;
  /** New items are linked to this client. */
  client: ClientRef | null;
}

/** The state of a screen whose items can be opened and changed. */
export interface ItemScreenModel extends ItemListModel {
  folder: OpenFolder;
  actions: Actions;
  dialog: DialogState | null;
  openDialog: (dialog: DialogState | null) => void;
  /** The error message above the list. */
  alert: string | null;
  setAlert: (message: string | null) => void;
  /**
   * Scrolls to and highlights the row of this id, once it is loaded, and selects it, or does what `event` says instead.
   */
  find: (id: number | null, event?: SelectionEvent) => void;
  /** Refetches the lists. */
  refresh: () => Promise<void>;
  /** The file in the preview, as named by the URL; null without a preview. */
  previewId: number | null;
  /** `opensLayer`: Back closes the preview. */
  preview: (id: number | null, options?: { replace?: boolean; opensLayer?: boolean }) => void;
}

export const ItemListContext = createContext<ItemListModel | null>(null);
export const ItemScreenContext = createContext<ItemScreenModel | null>(null);

export function useItemList(): ItemListModel {
  const model = useContext(ItemListContext);
  if (!model) throw new Error('useItemList is used outside of ItemListContext.');
  return model;
}

export function useItemScreen(): ItemScreenModel {
  const model = useContext(ItemScreenContext);
  if (!model) throw new Error('useItemScreen is used outside of ItemScreen.');
  return model;
}
