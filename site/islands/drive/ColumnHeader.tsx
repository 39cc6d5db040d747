import type { Ref } from 'react';
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { Sort } from '#server/documents/contract.ts';
import { cx } from '../../lib/cx.ts';
import { useDriveContext } from './DriveContext.ts';
import { nextSorting } from './order.ts';

export const COLUMNS: readonly { by: Sort; label: string; className: string }[] = [
  { by: 'name', label: 'Name', className: 'list-name min-w-0' },
  { by: 'owner', label: 'Owner', className: 'list-owner' },
  { by: 'modified', label: 'Modified', className: 'list-modified' },
  { by: 'size', label: 'Size', className: 'list-size text-right' },
];

export function ColumnHeader({ ref }: { ref: Ref<HTMLDivElement> }) {
  const { preferences, choose, selection, send, listing, selecting } = useDriveContext();
  const { sorting } = preferences;
  const count = selection.selected.size;
  const all = count > 0 && count === listing.order.length;
  return (
    <div ref={ref} role="rowgroup" className="sticky top-0 z-20 bg-surface max-sm:hidden">
      <div
        role="row"
        aria-rowindex={1}
        className="list-columns h-9 border-b border-line text-sm font-medium text-muted"
      >
        <div role="columnheader" className="list-check" aria-label="Selection">
          <input
            type="checkbox"
            aria-label="Select all"
            checked={all}
            ref={(box) => {
              if (box) box.indeterminate = count > 0 && !all;
            }}
            onChange={() => send(all ? { type: 'clear' } : { type: 'all', order: listing.order })}
            className={cx(
              'entry-check',
              !selecting && count === 0 && 'opacity-0 focus-visible:opacity-100 hover:opacity-100',
            )}
          />
        </div>
        {COLUMNS.map(({ by, label, className }) => {
          const active = sorting.by === by;
          const Arrow = sorting.descending ? ArrowDown : ArrowUp;
          return (
            <div
              key={by}
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
