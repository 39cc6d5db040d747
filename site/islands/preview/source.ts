import { createContext, useContext } from 'react';
import type { ItemView } from '#server/documents/contract.ts';

/** Below which address the shown content lies, where it is not the item's present one. */
export const SourceContext = createContext<string | null>(null);

/** The address below which all that is shown lies, without a slash at the end. */
export function useSource({ id }: Pick<ItemView, 'id'>): string {
  return useContext(SourceContext) ?? `/api/documents/${id}`;
}
