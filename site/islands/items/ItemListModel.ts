import type { Dispatch } from 'react';
import { createContext, useContext } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import type { ClientRef } from '../../lib/driveLocation.ts';
import type { Actions } from './actions.ts';
import type { Layout } from './columns.ts';
import type { Sorting } from './order.ts';
import type { Selection, SelectionEvent } from './selection.ts';

/** The items of a list, in the order they are shown. */
export interface Rows {
  items: readonly ItemView[];
  /** Their ids. */
  order: readonly number[];
  byId: ReadonlyMap<number, ItemView>;
  /** The items of this very question are there. */
  ready: boolean;
  /** What belongs to the list and is not loaded yet; left out when nothing is. */
  rest?: Rest | undefined;
}

export interface Rest {
  /** Of the whole list; null while nobody knows. */
  total: number | null;
  /** Loads it, and selects all. */
  select: () => void;
  /** Gives that up; null while nothing is being loaded. */
  stop: (() => void) | null;
}

/** All that a list of items needs to be drawn, sorted, selected and walked through, whichever items they are. */
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
  /** A tap selects, until that is ended. */
  selecting: boolean;
  setSelecting: (on: boolean) => void;
  /** The row that is marked for a few seconds. */
  marked: number | null;
  /** The screen shows details of items: then `i` is no letter to jump to a name by, unless another follows. */
  hasDetails?: boolean;
  /** Rows drawn faintly, such as those that were cut. */
  faded: ReadonlySet<number>;
  open: (item: ItemView) => void;
}

/** The dialog that is open, and what it is about. */
export type Asking =
  | { dialog: 'folder' }
  | { dialog: 'rename'; item: ItemView }
  | { dialog: 'client'; items: readonly ItemView[] }
  | { dialog: 'labels'; items: readonly ItemView[] }
  | { dialog: 'move'; items: readonly ItemView[] }
  | { dialog: 'share'; items: readonly ItemView[] }
  | { dialog: 'access'; item: ItemView }
  | { dialog: 'inbox'; item: ItemView }
  | { dialog: 'versions'; item: ItemView }
  /** To seal it, or about its seal. */
  | { dialog: 'seal'; item: ItemView }
  | { dialog: 'upload' }
  | { dialog: 'pages' }
  | { dialog: 'shortcuts' }
  | { dialog: 'extract'; item: ItemView }
  | { dialog: 'failures'; title: string; failures: readonly { name: string; message: string }[] };

/** The folder that is open; in a list of many folders the top one, where what is new goes. */
export interface OpenFolder {
  id: number | null;
  name: string;
  /** The names from the top down to it, ` / ` between them; '' at the top. */
  path: string;
  /** What is new here is linked to this client. */
  client: ClientRef | null;
}

/** A screen whose list is of the office's own items: they can be changed, and looked into. */
export interface ItemScreenModel extends ItemListModel {
  folder: OpenFolder;
  actions: Actions;
  asking: Asking | null;
  ask: (asking: Asking | null) => void;
  /** What went wrong, above the list. */
  alert: string | null;
  setAlert: (message: string | null) => void;
  /** Selects, shows and marks the row of this id, once it is there. */
  find: (id: number | null) => void;
  /** Loads what is shown again. */
  refresh: () => Promise<void>;
  /** The file in the preview, which the address names; null while there is none. */
  previewId: number | null;
  /** `opened` keeps the way back to the list in the history. */
  preview: (id: number | null, how?: { replace?: boolean; opened?: boolean }) => void;
}

export const ItemListContext = createContext<ItemListModel | null>(null);
export const ItemScreenContext = createContext<ItemScreenModel | null>(null);

export function useItemList(): ItemListModel {
  const model = useContext(ItemListContext);
  if (!model) throw new Error('A part of a list stands outside of it.');
  return model;
}

export function useItemScreen(): ItemScreenModel {
  const model = useContext(ItemScreenContext);
  if (!model) throw new Error('A part of a screen of items stands outside of it.');
  return model;
}
