import { Download, LockKeyhole } from 'lucide-react';
import type { ItemView } from '#server/documents/contract.ts';
import * as t from '#messages/preview.ts';
import * as common from '#messages/common.ts';
import type { Layout } from '../../items/columns.ts';
import { MODIFIED, SIZE } from '../../items/columns.ts';
import { formatDate } from '../../../lib/format.ts';
import { may } from '../../../lib/permissions.ts';
import type { EntryItem } from './entries.ts';
import { folderOf } from './entries.ts';

const entryOf = (item: ItemView) => (item as EntryItem).entry;

function amount(item: ItemView): string {
  const { files, formatted_size } = entryOf(item);
  return files === null ? formatted_size : `${t.fileCount(files)} · ${formatted_size}`;
}

/** The layout of archive entries. `onSave` downloads one; search results show their path. */
export const layoutWith = (onSave: (item: EntryItem) => void, searching: boolean): Layout => ({
  grid: 'columns with-checks zip-columns',
  // Archive entries have no URL of their own.
  nameHref: () => location.href,
  whose: () => null,
  beside(item) {
    const above = folderOf(entryOf(item).path);
    return [searching && above ? t.inFolder(above) : null];
  },
  columns: [MODIFIED, { ...SIZE, text: amount }],
  facts: (item) => [formatDate(item.modified_at), amount(item)],
  mark: (item) =>
    entryOf(item).encrypted && (
      <LockKeyhole
        size={14}
        role="img"
        aria-label={item.type === 'folder' ? t.holdsProtected : t.passwordProtected}
        className="shrink-0 text-muted"
      />
    ),
  action: (item) =>
    item.type === 'file' &&
    may('documents.download') && (
      <button
        type="button"
        tabIndex={-1}
        aria-label={t.downloadNamed(item.name)}
        title={common.download}
        onClick={(event) => {
          // Prevents the list from handling the click as a click on the row.
          event.stopPropagation();
          onSave(item as EntryItem);
        }}
        className="entry-menu flex size-7 items-center justify-center rounded-sm text-muted hover:bg-pressed hover:text-text pointer-coarse:size-11"
      >
        <Download aria-hidden size={16} />
      </button>
    ),
  draggable: false,
});
