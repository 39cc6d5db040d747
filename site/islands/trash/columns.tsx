import { ArchiveRestore } from 'lucide-react';
import type { ItemView } from '#server/documents/contract.ts';
import type { TrashView } from '#server/documents/trash/contract.ts';
import * as holds from '#messages/holds.ts';
import * as t from '#messages/trash.ts';
import { formatDate, formatDateTime } from '../../lib/format.ts';
import { formerPath } from '../../lib/trash.ts';
import type { Layout } from '../items/columns.ts';

/** The rows of this list are of Trash; the list itself knows items only. */
const of = (item: ItemView) => item as TrashView;

const sizeOf = (item: ItemView): string => of(item).formatted_bytes;

/** Where it was, or by what of its contents a search has found it. */
function placeOf(item: ItemView): string {
  const { inside } = of(item);
  return inside ? t.holdsFound(inside.name, inside.count - 1) : formerPath(item);
}

function titleOf(item: ItemView): string {
  const { inside } = of(item);
  if (!inside) return formerPath(item);
  return t.holdsFoundAt([inside.path, inside.name].filter(Boolean).join(' / '), inside.count - 1);
}

/** How Trash is laid out. `onRestore` brings one back. */
export const layoutWith = (onRestore: (item: TrashView) => void): Layout => ({
  grid: 'columns trash-columns',
  // Nothing in Trash has an address of its own.
  nameHref: () => '/trash',
  whose: () => null,
  // Until when it stays comes first, or what of it was found: a wide list has a column for each, a phone has room for little else.
  beside: (item) => [
    of(item).inside ? placeOf(item) : of(item).held ? holds.held : t.until(formatDate(of(item).purge_at)),
    item.client_name === item.name ? null : item.client_name,
  ],
  columns: [
    { label: t.was, className: 'trash-place', text: placeOf, title: titleOf },
    { label: t.deletedBy, className: 'trash-who', text: (item) => of(item).deleted_by_name },
    {
      label: t.deletedAt,
      by: 'modified',
      className: 'list-modified tabular',
      text: (item) => formatDate(of(item).deleted_at),
      title: (item) => t.deletedOn(formatDateTime(of(item).deleted_at), of(item).deleted_by_name),
    },
    {
      label: t.staysUntil,
      className: 'trash-until tabular',
      text: (item) => (of(item).held ? holds.held : formatDate(of(item).purge_at)),
      title: (item) => (of(item).held ? holds.heldAbout : t.goesOn(formatDateTime(of(item).purge_at))),
    },
    {
      label: t.size,
      by: 'size',
      className: 'list-size tabular text-right',
      text: sizeOf,
      title: (item) => (item.type === 'folder' ? t.filesIn(of(item).files) : null),
    },
  ],
  size: sizeOf,
  action: (item) => (
    <button
      type="button"
      tabIndex={-1}
      aria-label={t.restoreNamed(item.name)}
      title={t.restore}
      onClick={(event) => {
        // To the list this is no press on the row.
        event.stopPropagation();
        onRestore(of(item));
      }}
      className="flex size-7 items-center justify-center rounded-sm text-muted hover:bg-pressed hover:text-text pointer-coarse:size-11"
    >
      <ArchiveRestore aria-hidden size={16} />
    </button>
  ),
  draggable: false,
});
