import { atom } from 'nanostores';
import type { FieldChange, FieldsView, FieldView, ReviewView, TableRows } from '#server/fields/contract.ts';
import { fieldsUrl } from '#server/fields/contract.ts';
import type { Box } from '#server/recognition/contract.ts';
import { api } from './api.ts';
import { downloadResponse } from './download.ts';

/** The API of recognised field values and tables. Each call rejects with an ApiError. */
export const fieldCalls = {
  of: (id: number, signal: AbortSignal) => api.get<FieldsView>(fieldsUrl(id), { signal }),
  answer: (id: number, fields: readonly FieldChange[]) => api.patch<FieldsView>(fieldsUrl(id), { fields }),
  table: (id: number, index: number, signal: AbortSignal) =>
    api.get<TableRows>(`/api/documents/${id}/tables/${index}`, { signal }),
  review: (query: URLSearchParams, signal: AbortSignal) =>
    api.get<ReviewView>(`/api/review?${query}`, { signal }),
};

export const fieldsKey = (id: number) => ['fields', id] as const;
export const tableKey = (id: number, index: number) => ['fields', id, 'table', index] as const;

/** A region of a page to highlight in the preview. */
export interface Highlight {
  itemId: number;
  page: number;
  box: Box | null;
}

/** The highlighted region. Each request sets a new object, so that repeating one scrolls to it again. */
export const $highlight = atom<Highlight | null>(null);

/** Highlights the region from which a value was read. */
export function highlightValue(itemId: number, { page, box }: Pick<FieldView, 'page' | 'box'>): void {
  if (page !== null) $highlight.set({ itemId, page, box });
}

/** Whether the panel of field values is open beside the preview. */
export const $fieldsPanelOpen = atom(false);

/** Downloads a table of a file, or the field values of files. Rejects with an ApiError. */
export function exportFields(
  what: { form: 'xlsx' | 'csv' } & ({ table: { item: number; at: number } } | { ids: readonly number[] }),
): Promise<void> {
  const { form } = what;
  return 'table' in what
    ? downloadResponse(`/api/documents/${what.table.item}/tables/${what.table.at}/export`, { form })
    : downloadResponse('/api/documents/fields/export', { ids: what.ids, form });
}
