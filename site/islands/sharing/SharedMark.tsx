import { useStore } from '@nanostores/react';
import { Share2 } from 'lucide-react';
import * as t from '#messages/items.ts';
import { $sharedItems } from './sharedItems.ts';

/** The icon beside the name of an item that is shared by a link. */
export function SharedMark({ id }: { id: number }) {
  // The set is loaded in the browser, perhaps before the rows are hydrated; the server-rendered page has no marks.
  const shared = useStore($sharedItems, { ssr: 'initial' }).has(id);
  if (!shared) return null;
  return (
    <span title={t.isShared} className="shrink-0 text-muted">
      <Share2 size={14} role="img" aria-label={t.isShared} />
    </span>
  );
}
