import type { EntryView } from '#server/archive/contract.ts';
import { api } from '../../../lib/api.ts';
import { downloadFrom } from '../../../lib/download.ts';
import { linkIn } from '../../../lib/downloadLink.ts';

/** Downloads one file of an archive. Rejects with an ApiError, also if a password is needed or wrong. */
export async function saveEntry(itemId: number, { path, name }: EntryView, password?: string): Promise<void> {
  const request = { path, ...(password !== undefined && { password }) };
  downloadFrom(linkIn(await api.post(`/api/documents/${itemId}/entry-token`, request)), name);
}
