import type { ReactNode } from 'react';
import type { ItemScreenModel } from './ItemListModel.ts';
import { ItemListContext, ItemScreenContext } from './ItemListModel.ts';

/** Hands a screen's items to the list, the bars, the dialogs and the preview within. */
export const ItemScreen = ({ model, children }: { model: ItemScreenModel; children: ReactNode }) => (
  <ItemScreenContext value={model}>
    <ItemListContext value={model}>{children}</ItemListContext>
  </ItemScreenContext>
);
