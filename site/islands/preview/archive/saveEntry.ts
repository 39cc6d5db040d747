import type { EntryView } from '#server/archive/contract.ts';
import { api } from '../../../lib/api.ts';
import { downloadFrom } from '../../../lib/download.ts';

/** Downloads one file of an archive. Rejects with an ApiError, also if a password is needed or wrong. */
export async function saveEntry(itemId: number, { path, name }: EntryView, password?: string): Promise<void> {
  const request = { path, ...(password !== undefined && { password }) };
  const { download_url } = await api.post<{ download_url: string }>(
    `/api/documents/${itemId}/entry-token`,
    request,
  );
  downloadFrom(download_url, name);
}
