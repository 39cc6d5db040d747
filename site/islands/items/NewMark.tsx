import { useStore } from '@nanostores/react';
import type { ItemView } from '#server/documents/contract.ts';
import * as t from '#messages/items.ts';
import { Badge } from '../../components/Badge.tsx';
import { $viewedFiles } from '../../lib/viewedFiles.ts';

/** The badge of a file sent from outside, until a user of the firm has viewed it. */
export function NewMark({ item: { id, is_new = false } }: { item: Pick<ItemView, 'id' | 'is_new'> }) {
  const viewed = useStore($viewedFiles, { ssr: 'initial' }).has(id);
  if (!is_new || viewed) return null;
  return (
    <span title={t.newHint} className="inline-flex shrink-0">
      <Badge tone="accent">{t.isNew}</Badge>
    </span>
  );
}
