import type { Ref } from 'react';
import { memo } from 'react';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { MiddleCut } from '../../components/MiddleCut.tsx';
import { cx } from '../../lib/cx.ts';
import { formatDate, formatMoment } from '../../lib/format.ts';
import { placeOf } from '../../lib/search.ts';
import { useDriveContext } from '../drive/DriveContext.ts';
import { nextSorting } from '../drive/order.ts';
import type { EntryProps } from '../drive/Row.tsx';
import { MenuButton, elementId, entryClass } from '../drive/Row.tsx';

const COLUMNS = [
  { by: 'name', label: 'Name', className: 'list-name min-w-0' },
  { by: null, label: 'Client', className: 'files-client' },
  { by: null, label: 'Folder', className: 'files-folder' },
  { by: 'modified', label: 'Modified', className: 'list-modified' },
  { by: 'size', label: 'Size', className: 'list-size text-right' },
] as const;

/** The header of the list of all files; the list sorts by what the server keeps in order. */
export function FilesHeader({ ref }: { ref: Ref<HTMLDivElement> }) {
  const { preferences, choose, selection, send, listing } = useDriveContext();
  const { sorting } = preferences;
  const count = selection.selected.size;
  const all = count > 0 && count === listing.order.length;
  return (
    <div ref={ref} role="rowgroup" className="sticky top-0 z-20 bg-surface max-sm:hidden">
      <div
        role="row"
        aria-rowindex={1}
        className="files-columns h-9 border-b border-line text-sm font-medium text-muted"
      >
        <div role="columnheader" className="list-check" aria-label="Selection">
          <input
            type="checkbox"
            aria-label="Select all that are loaded"
            checked={all}
            ref={(box) => {
              if (box) box.indeterminate = count > 0 && !all;
            }}
            onChange={() => send(all ? { type: 'clear' } : { type: 'all', order: listing.order })}
            className={cx(
              'entry-check',
              count === 0 && 'opacity-0 focus-visible:opacity-100 hover:opacity-100',
            )}
          />
        </div>
        {COLUMNS.map(({ by, label, className }) => {
          if (!by)
            return (
              <div key={label} role="columnheader" className={className}>
                {label}
              </div>
            );
          const active = sorting.by === by;
          const Arrow = sorting.descending ? ArrowDown : ArrowUp;
          return (
            <div
              key={label}
              role="columnheader"
              aria-sort={!active ? 'none' : sorting.descending ? 'descending' : 'ascending'}
              className={className}
            >
              <button
                type="button"
                onClick={() => choose({ sorting: nextSorting(sorting, by) })}
                className={cx(
                  '-mx-1 inline-flex items-center gap-1 rounded-xs px-1 py-1 hover:text-text',
                  by === 'size' && 'flex-row-reverse',
                  active && 'text-text',
                )}
              >
                {label}
                <Arrow aria-hidden size={14} className={active ? '' : 'invisible'} />
              </button>
            </div>
          );
        })}
        <div role="columnheader">
          <span className="sr-only">Actions</span>
        </div>
      </div>
    </div>
  );
}

/** A file with the client and the folder it belongs to. */
export const FileRow = memo(function FileRow({ item, index, place: _place, ...state }: EntryProps) {
  const { name, path, client_name } = item;
  const folder = path || 'My Drive';
  return (
    <div
      role="row"
      id={elementId(item.id)}
      data-id={item.id}
      aria-rowindex={index + 2}
      aria-selected={state.selected}
      aria-label={name}
      className={cx('entry files-columns h-(--row) border-b border-line', entryClass(state))}
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
        <FileGlyph fileType={item.file_type} size={20} />
        <div className="flex min-w-0 flex-1 flex-col">
          <a
            href={placeOf(item)}
            data-open
            tabIndex={-1}
            draggable={false}
            className="min-w-0 rounded-xs text-text no-underline hover:underline hover:underline-offset-2"
          >
            <MiddleCut text={name} />
          </a>
          <span className="tabular truncate text-sm text-muted sm:hidden">
            {[client_name, formatDate(item.modified_at), item.size].filter(Boolean).join(' · ')}
          </span>
        </div>
      </div>
      <div role="gridcell" className="files-client truncate text-muted" title={client_name ?? undefined}>
        {client_name}
      </div>
      <div role="gridcell" className="files-folder min-w-0 text-muted">
        <a
          href={placeOf(item)}
          tabIndex={-1}
          draggable={false}
          title={`Show in ${folder}`}
          className="block truncate rounded-xs text-inherit no-underline hover:text-text hover:underline hover:underline-offset-2"
        >
          {folder}
        </a>
      </div>
      <div
        role="gridcell"
        className="list-modified tabular truncate text-muted"
        title={formatMoment(item.modified_at)}
      >
        {formatDate(item.modified_at)}
      </div>
      <div role="gridcell" className="list-size tabular truncate text-right text-muted">
        {item.size}
      </div>
      <div role="gridcell" className="flex justify-center">
        <MenuButton name={name} />
      </div>
    </div>
  );
});
