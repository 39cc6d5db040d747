import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import * as common from '#messages/common.ts';
import { interceptTraversal, pushUrl, replaceUrl } from '../../lib/browserHistory.ts';
import { openPage as openAddress } from '../../lib/navigation.ts';
import { driveHref } from '../../lib/driveLocation.ts';
import { parsePreviewId } from '../../lib/parsePreviewId.ts';
import type { Layout } from './columns.ts';
import type { ItemScreenModel, OpenFolder, Rest } from './ItemListModel.ts';
import type { Sorting } from './order.ts';
import { BY_NAME } from './order.ts';
import { useItems } from './useItems.ts';
import { useItemScreenState } from './useItemScreenState.ts';
import { useRest } from './useRest.ts';

const TOP: OpenFolder = { id: null, name: common.myDrive, path: '', client: null };
const NONE: ReadonlySet<number> = new Set();

interface FlatList {
  items: readonly ItemView[];
  /** See `Rows.ready`. */
  ready: boolean;
  rest?: Rest | undefined;
  layout: Layout;
  sorting?: Sorting;
  onSort?: (sorting: Sorting) => void;
  /** The file in the preview when the page was loaded. */
  previewId: number | null;
  /** The screen's URL with this file in the preview. */
  address: (previewId: number | null) => string;
}

/** A list of items of many folders. Opening a folder leaves the screen. */
export function useFlatList({
  items,
  ready,
  rest,
  layout,
  sorting = BY_NAME,
  onSort,
  previewId: first,
  address,
}: FlatList): ItemScreenModel {
  const list = useItems(items, ready);
  const { rows, send, setSelecting } = list;
  const screen = useItemScreenState({ byId: rows.byId, send, setSelecting, withRest: useRest(list, rest) });
  const [previewId, setPreviewId] = useState(first);

  const showEntry = useEffectEvent((to: URL) => {
    const list = new URL(to);
    list.searchParams.delete('preview');
    // An entry with other filters is loaded as a page.
    if (list.pathname + list.search !== address(null)) return false;
    setPreviewId(parsePreviewId(to.search));
    return true;
  });
  useEffect(() => interceptTraversal(showEntry), []);

  const preview: ItemScreenModel['preview'] = (id, { replace = false, opensLayer = false } = {}) => {
    if (replace) replaceUrl(address(id));
    else pushUrl(address(id), { opensLayer });
    setPreviewId(id);
  };
  return {
    ...list,
    ...screen,
    rows: useMemo(() => ({ ...rows, rest }), [rows, rest]),
    view: 'list',
    layout,
    sorting,
    sortBy: (next) => onSort?.(next),
    faded: NONE,
    hasDetails: true,
    folder: TOP,
    open(item) {
      if (item.type === 'folder') openAddress(driveHref({ folderId: item.id }));
      else preview(item.id, { opensLayer: true });
    },
    previewId,
    preview,
  };
}
