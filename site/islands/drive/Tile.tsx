import { memo } from 'react';
import { MiddleCut } from '../../components/MiddleCut.tsx';
import { cx } from '../../lib/cx.ts';
import { formatDate } from '../../lib/format.ts';
import type { EntryProps } from './Row.tsx';
import { addressOfItem, elementId, entryClass, MenuButton, sizeText } from './Row.tsx';
import { Thumbnail } from './Thumbnail.tsx';

/** One item of the grid view. */
export const Tile = memo(function Tile({ item, index, place, ...state }: EntryProps) {
  const { name } = item;
  return (
    <div
      role="row"
      id={elementId(item.id)}
      data-id={item.id}
      aria-rowindex={index + 1}
      aria-selected={state.selected}
      aria-label={name}
      draggable
      className={cx(
        'entry relative flex h-(--tile) flex-col overflow-hidden rounded-md border',
        state.selected ? 'border-accent-line' : 'border-line',
        entryClass(state),
      )}
    >
      <div role="gridcell" className="absolute top-1.5 left-1.5 z-10 flex">
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
      <div role="rowheader" className="flex min-h-0 flex-1 flex-col">
        <div className="relative flex min-h-0 flex-1 items-center justify-center overflow-hidden bg-sunken">
          <Thumbnail item={item} />
        </div>
        <div className="min-w-0 border-t border-line px-3 py-1.5">
          <a
            href={addressOfItem(item, place)}
            data-open
            tabIndex={-1}
            draggable={false}
            className="flex min-w-0 rounded-xs font-medium text-text no-underline hover:underline hover:underline-offset-2"
          >
            <MiddleCut text={name} />
          </a>
          <span className="tabular block truncate text-xs text-muted">
            {sizeText(item)} · {formatDate(item.modified_at)}
          </span>
        </div>
      </div>
      <div role="gridcell" className="absolute top-1 right-1">
        <MenuButton name={name} />
      </div>
    </div>
  );
});
