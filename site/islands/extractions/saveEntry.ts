import type { EntryView } from '#server/archive/contract.ts';
import { calls } from '../drive/calls.ts';

/** Downloads one file of an archive, by the link of the archive. Rejects as that call does. */
export async function saveEntry(itemId: number, { path, name }: EntryView): Promise<void> {
  const url = new URL(await calls.link(itemId), location.href);
  url.pathname = url.pathname.replace(/content$/, 'entry');
  url.searchParams.set('path', path);
  const link = document.createElement('a');
  link.href = url.href;
  link.download = name;
  link.click();
}
