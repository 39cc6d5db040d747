import type { ReactNode } from 'react';
import type { ItemScreenModel } from './ItemListModel.ts';
import { ItemListContext, ItemScreenContext } from './ItemListModel.ts';

/** Provides a screen's model to its list, bars, dialogs and preview. */
export const ItemScreen = ({ model, children }: { model: ItemScreenModel; children: ReactNode }) => (
  <ItemScreenContext value={model}>
    <ItemListContext value={model}>{children}</ItemListContext>
  </ItemScreenContext>
);
