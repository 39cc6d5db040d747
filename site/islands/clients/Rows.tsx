import type { RefObject } from 'react';
import { useRef } from 'react';
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ClientSort } from '#server/clients/contract.ts';
import * as t from '#messages/clients.ts';
import * as common from '#messages/common.ts';
import { cx } from '../../lib/cx.ts';
import { useInfiniteScroll } from '../../lib/useInfiniteScroll.ts';
import { useVirtualRows } from '../../lib/useVirtualRows.ts';
import type { ClientRowProps } from './ClientRow.tsx';
import { ClientRow } from './ClientRow.tsx';
import type { Selecting } from './useSelection.ts';
import type { useClients } from './useClients.ts';
import { isFiltered } from './useClients.ts';

interface RowsProps extends Pick<ClientRowProps, 'onAction'> {
  list: ReturnType<typeof useClients>;
  scroller: RefObject<HTMLDivElement | null>;
  selecting: Selecting;
}

/** Distance from the end at which the next page is loaded. */
const LOAD_AHEAD_PX = 2000;

/** The table of clients; only rows near the viewport are rendered. */
export function Rows({ list, scroller, selecting, onAction }: RowsProps) {
  const { clients, view, change, more, stale, totals } = list;
  const rows = useRef<HTMLDivElement>(null);
  const drawn = useVirtualRows(scroller, rows, clients.length);
  useInfiniteScroll(scroller, more, LOAD_AHEAD_PX);
  const toggleSort = (by: ClientSort) =>
    change({ sort: by, direction: view.sort === by && view.direction === 'asc' ? 'desc' : 'asc' });
  const head = (by: ClientSort, label: string, className: string) => {
    const on = view.sort === by;
    const Arrow = view.direction === 'desc' ? ArrowDown : ArrowUp;
    return (
      <div
        role="columnheader"
        aria-sort={!on ? 'none' : view.direction === 'asc' ? 'ascending' : 'descending'}
        className={className}
      >
        <button
          type="button"
          onClick={() => toggleSort(by)}
          className={cx(
            '-mx-1 inline-flex items-center gap-1 rounded-xs px-1 py-1 hover:text-text',
            on && 'text-text',
          )}
        >
          {label}
          <Arrow aria-hidden size={14} className={on ? '' : 'invisible'} />
        </button>
      </div>
    );
  };
  return (
    <div
      role="table"
      aria-label={t.clients}
      aria-busy={stale}
      aria-rowcount={(isFiltered(view) ? clients.length : totals.total) + 1}
      className={stale ? 'opacity-60' : ''}
    >
      <div role="rowgroup" className="sticky top-0 z-20 bg-surface max-sm:hidden">
        <div
          role="row"
          aria-rowindex={1}
          className="client-columns h-9 border-b border-line text-sm font-medium text-muted"
        >
          {head('name', common.name, 'min-w-0')}
          <div role="columnheader" className="client-type">
            {t.type}
          </div>
          <div role="columnheader" className="client-phone">
            {common.phone}
          </div>
          <div role="columnheader" className="client-email">
            {common.email}
          </div>
          {head('city', t.city, 'client-city')}
          <div role="columnheader" className="client-pan">
            {t.pan}
          </div>
          <div role="columnheader">{t.status}</div>
          <div role="columnheader">
            <span className="sr-only">{t.actions}</span>
          </div>
        </div>
      </div>
      <div ref={rows} role="rowgroup" style={drawn.padding} className="client-rows">
        {clients.slice(drawn.start, drawn.end).map((client, index) => (
          <ClientRow
            key={client.id}
            client={client}
            index={drawn.start + index}
            {...(selecting.chosen && { chosen: selecting.chosen.has(client.id), onPick: selecting.pick })}
            onAction={onAction}
          />
        ))}
      </div>
    </div>
  );
}
