import type { Ref } from 'react';
import { ArrowDown, ArrowUp } from 'lucide-react';
import * as t from '#messages/items.ts';
import { cx } from '../../lib/cx.ts';
import { NAME } from './columns.ts';
import { useItemList } from './ItemListModel.ts';
import { nextSorting } from './order.ts';

/** The header row of a list: selects all, and sorts. */
export function ColumnHeader({ ref }: { ref: Ref<HTMLDivElement> }) {
  const { layout, sorting, sortBy, selection, send, rows, selecting } = useItemList();
  const count = selection.selected.size;
  const all = count > 0 && count === rows.order.length;
  return (
    <div ref={ref} role="rowgroup" className="sticky top-0 z-20 bg-surface max-sm:hidden">
      <div
        role="row"
        aria-rowindex={1}
        className={cx(layout.grid, 'h-9 border-b border-line text-sm font-medium text-muted')}
      >
        <div role="columnheader" className="list-check" aria-label={t.selection}>
          <input
            type="checkbox"
            aria-label={rows.rest ? t.selectLoaded : t.selectAll}
            checked={all}
            ref={(box) => {
              if (box) box.indeterminate = count > 0 && !all;
            }}
            onChange={() => send(all ? { type: 'clear' } : { type: 'all', order: rows.order })}
            className={cx(
              'entry-check',
              !selecting && count === 0 && 'opacity-0 focus-visible:opacity-100 hover:opacity-100',
            )}
          />
        </div>
        {[NAME, ...layout.columns].map(({ by, label, className }) => {
          const active = sorting.by === by;
          const Arrow = sorting.descending ? ArrowDown : ArrowUp;
          const order = sorting.descending ? 'descending' : 'ascending';
          return (
            <div
              key={label}
              role="columnheader"
              {...(by && { 'aria-sort': active ? order : 'none' })}
              className={className}
            >
              {by ? (
                <button
                  type="button"
                  onClick={() => sortBy(nextSorting(sorting, by))}
                  className={cx(
                    '-mx-1 inline-flex items-center gap-1 rounded-xs px-1 py-1 hover:text-text',
                    by === 'size' && 'flex-row-reverse',
                    active && 'text-text',
                  )}
                >
                  {label}
                  <Arrow aria-hidden size={14} className={active ? '' : 'invisible'} />
                </button>
              ) : (
                label
              )}
            </div>
          );
        })}
        <div role="columnheader">
          <span className="sr-only">{t.actions}</span>
        </div>
      </div>
    </div>
  );
}
