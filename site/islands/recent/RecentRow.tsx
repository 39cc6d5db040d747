import { useState } from 'react';
import { ChevronRight, Download, Eye, FolderSearch, Info } from 'lucide-react';
import type { RecentView } from '#server/documents/contract.ts';
import { previewKind } from '#server/documents/contract.ts';
import * as t from '#messages/recent.ts';
import * as common from '#messages/common.ts';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { MiddleCut } from '../../components/MiddleCut.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { cx } from '../../lib/cx.ts';
import { openDetails } from '../../lib/detailsPanel.ts';
import { documentCalls } from '../../lib/documentCalls.ts';
import { driveHref } from '../../lib/driveLocation.ts';
import { formatDateTime, relativeTime } from '../../lib/format.ts';
import { may } from '../../lib/permissions.ts';
import { highlightHref, locationLabel } from '../../lib/search.ts';
import { sizeText } from '../items/columns.ts';
import { useItemScreen } from '../items/ItemListModel.ts';
import { SentBackMark } from '../items/SentBackMark.tsx';
import type { Batch } from './groups.ts';
import { TypeBadge } from './TypeBadge.tsx';

/** One line for the files of one upload, which expands to show them. */
export function BatchRow({ batch: { items }, now }: { batch: Batch; now: number }) {
  const [open, setOpen] = useState(false);
  const [first] = items;
  if (!first) return null;
  const folder = first.path?.split(' / ').at(-1) || common.myDrive;
  const names = items
    .slice(0, 3)
    .map(({ name }) => name)
    .join(', ');
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-13 w-full items-center gap-3 px-2 py-1.5 text-left -outline-offset-2! hover:bg-hover"
      >
        <ChevronRight
          aria-hidden
          size={20}
          className={cx('mx-0.5 shrink-0 text-muted transition-transform', open && 'rotate-90')}
        />
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{t.filesAdded(items.length, folder)}</span>
          <span className="block truncate text-sm text-muted">
            <span className="tabular sm:hidden">{relativeTime(first.touched_at, now)} · </span>
            {names}…
          </span>
        </span>
        <span className="tabular w-24 shrink-0 truncate text-sm text-muted max-sm:hidden">
          {relativeTime(first.touched_at, now)}
        </span>
        {/* Placeholder for the file rows' columns: size, type, buttons. */}
        <span className="w-76 shrink-0 max-sm:hidden" />
      </button>
      {open && (
        <ul aria-label={t.addedTo(folder)} className="divide-y divide-line border-t border-line pl-4">
          {items.map((item) => (
            <Item key={item.id} item={item} now={now} />
          ))}
        </ul>
      )}
    </li>
  );
}

const ICON = { size: 16, 'aria-hidden': true } as const;

export function Item({ item, now }: { item: RecentView; now: number }) {
  const { actions, open, send, selection, setAlert } = useItemScreen();
  const folder = item.type === 'folder';
  const canPreview = previewKind(item.file_type) !== null;
  const openPreview = async () => {
    try {
      // Requested first, so that an error is shown here and not in an empty preview.
      if (may('documents.download')) await documentCalls.downloadUrl(item.id, { inline: true });
      open(item);
    } catch (error) {
      setAlert(messageOf(error, t.previewFailed));
    }
  };
  const details = () => {
    send({ type: 'only', id: item.id });
    openDetails();
  };
  const where = locationLabel(item);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- notes which row's link or button has the focus
    <li
      data-id={item.id}
      data-followed
      onFocus={() => send({ type: 'focus', id: item.id })}
      className={cx(
        'group flex min-h-13 items-center gap-3 px-2 py-1.5 hover:bg-hover',
        selection.selected.has(item.id) && 'bg-accent-soft',
      )}
    >
      <FileGlyph fileType={folder ? null : item.file_type} size={24} className="shrink-0" />
      <div className="min-w-0 flex-1">
        <span className="flex min-w-0 items-center gap-2">
          <a
            href={folder ? driveHref({ folderId: item.id }) : highlightHref(item)}
            onClick={(event) => {
              if (folder || !canPreview || event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              void openPreview();
            }}
            className="flex min-w-0 rounded-xs font-medium text-text no-underline hover:underline hover:underline-offset-2"
          >
            <MiddleCut text={item.name} />
          </a>
          <SentBackMark item={item} />
        </span>
        <p className="truncate text-sm text-muted" title={where}>
          <span className="tabular sm:hidden">
            {relativeTime(item.touched_at, now)} · {sizeText(item)}
            {item.client_name && ` · ${item.client_name}`}
          </span>
          <span className="max-sm:hidden">{where}</span>
        </p>
      </div>
      <span
        className="tabular w-24 shrink-0 truncate text-sm text-muted max-sm:hidden"
        title={formatDateTime(item.touched_at)}
      >
        {relativeTime(item.touched_at, now)}
      </span>
      <span className="tabular w-20 shrink-0 truncate text-right text-sm text-muted max-sm:hidden">
        {sizeText(item)}
      </span>
      <span className="flex w-16 shrink-0 justify-center max-sm:hidden">
        {!folder && <TypeBadge fileType={item.file_type} />}
      </span>
      <span className="flex w-34 shrink-0 justify-end gap-0.5 max-sm:w-auto">
        {!folder && (
          <>
            <a
              href={highlightHref(item)}
              aria-label={t.showNamed(item.name)}
              title={t.showInFolder}
              className="flex size-8 items-center justify-center rounded-sm text-muted hover:bg-pressed hover:text-text pointer-coarse:hidden"
            >
              <FolderSearch {...ICON} />
            </a>
            {canPreview ? (
              <IconButton
                label={t.previewNamed(item.name)}
                // Hidden on phones, where a tap on the name opens the preview.
                className="max-sm:hidden"
                onPress={() => void openPreview()}
              >
                <Eye {...ICON} />
              </IconButton>
            ) : (
              <span className="size-8 max-sm:hidden pointer-coarse:size-11" />
            )}
            <IconButton
              data-needs="documents.download"
              label={t.downloadNamed(item.name)}
              onPress={() => void actions.download([item])}
            >
              <Download {...ICON} />
            </IconButton>
          </>
        )}
        <IconButton label={t.detailsOf(item.name)} onPress={details}>
          <Info {...ICON} />
        </IconButton>
      </span>
    </li>
  );
}
