import { createContext, useContext } from 'react';
import type { ItemView } from '#server/documents/contract.ts';

/** The base URL of the shown content, if it is not the item's current one. */
export const SourceContext = createContext<string | null>(null);

/** The base URL of all shown content, without a trailing slash. */
export function useSource({ id }: Pick<ItemView, 'id'>): string {
  return useContext(SourceContext) ?? `/api/documents/${id}`;
}
