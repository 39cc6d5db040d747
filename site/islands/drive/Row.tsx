import { memo } from 'react';
import { EllipsisVertical } from 'lucide-react';
import type { ItemView } from '#server/documents/contract.ts';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { MiddleCut } from '../../components/MiddleCut.tsx';
import { cx } from '../../lib/cx.ts';
import { formatDate, formatMoment, plural } from '../../lib/format.ts';
import type { Place } from './place.ts';
import { addressOf } from './place.ts';

export interface EntryProps {
  item: ItemView;
  /** Position in the listing. */
  index: number;
  selected: boolean;
  focused: boolean;
  marked: boolean;
  /** Taken by Ctrl+X, or being dragged. */
  faded: boolean;
  /** What is dragged would go here. */
  aimed: boolean;
  /** The listing it is shown in. */
  place: Place;
}

export const elementId = (id: number): string => `item-${id}`;

export const addressOfItem = (item: ItemView, place: Place): string =>
  item.type === 'folder'
    ? addressOf({ folderId: item.id, client: place.client })
    : addressOf({ ...place, previewId: item.id, highlightId: null });

/** What a folder holds, or how large a file is. */
export const sizeText = (item: ItemView): string =>
  item.type === 'folder' ? plural(item.children_count ?? 0, 'item') : item.size;

export const entryClass = ({
  selected,
  focused,
  marked,
  faded,
  aimed,
}: Omit<EntryProps, 'item' | 'index' | 'place'>) =>
  cx(
    aimed && 'bg-accent-soft outline-2 -outline-offset-2 outline-accent',
    !aimed && selected && 'bg-accent-soft',
    !aimed && !selected && 'hover:bg-hover',
    marked && 'animate-mark',
    faded && 'opacity-50',
    focused && 'entry-focus',
  );

/** Pointer events are the listing's to hear: what was hit is told by `data-id`, `data-open`, `data-menu`, `data-check`. */
export const Row = memo(function Row({ item, index, place, ...state }: EntryProps) {
  const name = item.name;
  return (
    <div
      role="row"
      id={elementId(item.id)}
      data-id={item.id}
      aria-rowindex={index + 2}
      aria-selected={state.selected}
      aria-label={name}
      draggable
      className={cx('entry list-columns h-(--row) border-b border-line', entryClass(state))}
    >
      <div role="gridcell" className="list-check">
        <input
          type="checkbox"
          data-check
          tabIndex={-1}
          checked={state.selected}
          readOnly
          aria-label={`Select ${name}`}
          className="entry-check"
        />
      </div>
      <div role="rowheader" className="flex min-w-0 items-center gap-2.5 pr-4">
        <FileGlyph fileType={item.type === 'folder' ? null : item.file_type} size={20} />
        <div className="flex min-w-0 flex-1 flex-col sm:flex-row sm:items-baseline sm:gap-2.5">
          <a
            href={addressOfItem(item, place)}
            data-open
            tabIndex={-1}
            draggable={false}
            className="min-w-0 shrink rounded-xs text-text no-underline hover:underline hover:underline-offset-2"
          >
            <MiddleCut text={name} />
          </a>
          {item.client_name && !place.client && (
            <span
              className="hidden max-w-40 min-w-0 shrink-[3] truncate text-sm text-muted md:inline"
              title={item.client_name}
            >
              {item.client_name}
            </span>
          )}
          {item.path !== null && item.path !== '' && (
            <span
              className="hidden min-w-0 shrink-[3] truncate text-sm text-muted md:inline"
              title={item.path}
            >
              in {item.path}
            </span>
          )}
          <span className="tabular truncate text-sm text-muted sm:hidden">
            {formatDate(item.modified_at)} · {sizeText(item)}
          </span>
        </div>
      </div>
      <div role="gridcell" className="list-owner truncate text-muted" title={item.owner_name}>
        {item.owner_name}
      </div>
      <div
        role="gridcell"
        className="list-modified tabular truncate text-muted"
        title={formatMoment(item.modified_at)}
      >
        {formatDate(item.modified_at)}
      </div>
      <div role="gridcell" className="list-size tabular truncate text-right text-muted">
        {sizeText(item)}
      </div>
      <div role="gridcell" className="flex justify-center">
        <MenuButton name={name} />
      </div>
    </div>
  );
});

export const MenuButton = ({ name }: { name: string }) => (
  <button
    type="button"
    data-menu
    tabIndex={-1}
    aria-haspopup="menu"
    aria-label={`Actions for ${name}`}
    className="entry-menu flex size-7 items-center justify-center rounded-sm text-muted hover:bg-pressed hover:text-text pointer-coarse:size-11"
  >
    <EllipsisVertical aria-hidden size={16} />
  </button>
);
