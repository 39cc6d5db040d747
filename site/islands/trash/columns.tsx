import { ArchiveRestore } from 'lucide-react';
import type { ItemView } from '#server/documents/contract.ts';
import type { TrashView } from '#server/documents/trash/contract.ts';
import * as holds from '#messages/holds.ts';
import * as t from '#messages/trash.ts';
import { formatDate, formatDateTime } from '../../lib/format.ts';
import { formerPath } from '../../lib/trash.ts';
import type { Layout } from '../items/columns.ts';

/** The list is typed for items; the rows of this list are items in Trash. */
const asTrash = (item: ItemView) => item as TrashView;

/** Of a folder, the size of all that would be restored with it: what was deleted from it before has entries of its own. */
function sizeOf(item: ItemView): string {
  const { type, files, formatted_bytes } = asTrash(item);
  return type === 'folder' && files === 0 ? t.noFiles : formatted_bytes;
}

/** The former path, or the content by which a search found the item. */
function locationText(item: ItemView): string {
  const { inside } = asTrash(item);
  return inside ? t.containsMatch(inside.name, inside.count - 1) : formerPath(item);
}

function locationTitle(item: ItemView): string {
  const { inside } = asTrash(item);
  if (!inside) return formerPath(item);
  return t.containsMatchAt([inside.path, inside.name].filter(Boolean).join(' / '), inside.count - 1);
}

/** The match of a search, or the purge date. */
function noteText(item: ItemView): string {
  const { inside, held, purge_at } = asTrash(item);
  if (inside) return locationText(item);
  return held ? holds.held : t.until(formatDate(purge_at));
}

/** The layout of Trash. */
export const createLayout = (
  onRestore: (item: TrashView) => void,
  Menu: NonNullable<Layout['Menu']>,
): Layout => ({
  Menu,
  grid: 'columns trash-columns',
  // Items in Trash have no URL of their own.
  nameHref: () => '/trash',
  whose: () => null,
  beside: (item) => [noteText(item), item.client_name === item.name ? null : item.client_name],
  columns: [
    {
      label: t.formerFolder,
      className: 'trash-place',
      text: locationText,
      title: locationTitle,
      cutsMiddle: true,
    },
    { label: t.deletedBy, className: 'trash-who', text: (item) => asTrash(item).deleted_by_name },
    {
      label: t.deletedAt,
      by: 'modified',
      className: 'list-modified tabular',
      text: (item) => formatDate(asTrash(item).deleted_at),
      title: (item) => t.deletedOn(formatDateTime(asTrash(item).deleted_at), asTrash(item).deleted_by_name),
    },
    {
      label: t.staysUntil,
      className: 'trash-until tabular',
      text: (item) => (asTrash(item).held ? holds.held : formatDate(asTrash(item).purge_at)),
      title: (item) =>
        asTrash(item).held ? holds.heldAbout : t.deletedForeverFrom(formatDateTime(asTrash(item).purge_at)),
    },
    {
      label: t.size,
      by: 'size',
      className: 'list-size tabular text-right',
      text: sizeOf,
      title: (item) => (item.type === 'folder' ? t.filesIn(asTrash(item).files) : null),
    },
  ],
  // Without the date of the last change, since phones have room for little.
  facts: (item) => [noteText(item), sizeOf(item)],
  action: (item) => (
    <button
      type="button"
      tabIndex={-1}
      aria-label={t.restoreNamed(item.name)}
      title={t.restore}
      onClick={(event) => {
        // Prevents the list from handling the click as a click on the row.
        event.stopPropagation();
        onRestore(asTrash(item));
      }}
      className="flex size-7 items-center justify-center rounded-sm text-muted hover:bg-pressed hover:text-text pointer-coarse:size-11"
    >
      <ArchiveRestore aria-hidden size={16} />
    </button>
  ),
  draggable: false,
});
