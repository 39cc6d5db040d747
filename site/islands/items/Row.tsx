import { memo } from 'react';
import { EllipsisVertical } from 'lucide-react';
import type { ItemView } from '#server/documents/contract.ts';
import * as t from '#messages/items.ts';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { LabelChips } from '../../components/LabelChip.tsx';
import { MiddleCut } from '../../components/MiddleCut.tsx';
import { cx } from '../../lib/cx.ts';
import { SealBadge } from '../seals/SealBadge.tsx';
import { HeldMark } from './HeldMark.tsx';
import { NewMark } from './NewMark.tsx';
import { SentBackMark } from './SentBackMark.tsx';
import { SharedMark } from '../sharing/SharedMark.tsx';
import type { Layout } from './columns.ts';

export interface EntryProps {
  item: ItemView;
  /** Position in the listing. */
  index: number;
  selected: boolean;
  focused: boolean;
  marked: boolean;
  /** Cut with Ctrl+X, or being dragged. */
  faded: boolean;
  isDropTarget: boolean;
  layout: Layout;
}

export const elementId = (id: number): string => `item-${id}`;

/**
 * Attributes shared by a row and a tile. The list handles pointer events by delegation (`useEntryEvents`), and identifies
 * the part by `data-id`, `data-open`, `data-menu` and `data-check`.
 */
export const entryAttributes = ({ item, selected, layout }: EntryProps) => ({
  role: 'row',
  id: elementId(item.id),
  'data-id': item.id,
  'aria-selected': selected,
  'aria-label': item.name,
  'aria-description': layout.place?.(item),
  draggable: layout.draggable,
});

export const entryClass = ({ selected, focused, marked, faded, isDropTarget }: EntryProps) =>
  cx(
    'entry',
    isDropTarget && 'bg-accent-soft outline-2 -outline-offset-2 outline-accent',
    !isDropTarget && selected && 'bg-accent-soft',
    !isDropTarget && !selected && 'hover:bg-hover',
    marked && 'animate-mark',
    faded && 'opacity-50',
    focused && 'entry-focus',
  );

export const Row = memo(function Row(props: EntryProps) {
  const { item, index, layout } = props;
  const whose = layout.whose(item);
  const line = layout.line?.(item);
  const place = layout.place?.(item);
  const beside = line ? [] : layout.beside(item, whose);
  // The two-line layout has no columns, so its second line repeats their texts, each once.
  const note = [...new Set([...layout.facts(item), whose, ...beside])];
  return (
    <div
      {...entryAttributes(props)}
      aria-rowindex={index + 2}
      className={cx(layout.grid, 'h-(--row) border-b border-line', entryClass(props))}
    >
      <div role="gridcell" className="list-check">
        <EntryCheck {...props} />
      </div>
      <div role="rowheader" className="flex min-w-0 items-center gap-2.5 pr-4">
        <FileGlyph fileType={item.type === 'folder' ? null : item.file_type} size={20} />
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-1.5 sm:flex-nowrap sm:items-baseline sm:gap-2.5">
          <span className="flex min-w-0 shrink items-center gap-1.5 max-sm:contents">
            <NameLink {...props} className="shrink max-sm:basis-full" />
            {/* On a phone at the start of the second line, so that the name has the first for itself. */}
            <span className="flex items-center gap-1.5 empty:hidden max-sm:max-w-2/3 max-sm:overflow-hidden sm:contents">
              <NewMark item={item} />
              <SentBackMark item={item} />
              <HeldMark item={item} />
              {item.seal && <SealBadge seal={item.seal} />}
              {layout.mark?.(item)}
              <LabelChips labels={item.labels} />
              <SharedMark id={item.id} />
            </span>
          </span>
          {/* Shrinks before the name does, which is what people look for. */}
          {beside.map(
            (text) =>
              text && (
                <span
                  key={text}
                  className={cx(
                    'hidden min-w-10 shrink-[9999] text-sm text-muted md:flex',
                    text === whose && 'beside-client',
                  )}
                >
                  <MiddleCut text={text} />
                </span>
              ),
          )}
          <span
            className={cx(
              'flex min-w-0 gap-2 text-sm text-muted max-sm:flex-1 sm:grow sm:basis-0',
              !line && 'sm:hidden',
            )}
          >
            {place && <MiddleCut text={place} className="sm:hidden" />}
            <span
              dir={line ? 'auto' : undefined}
              className={cx('tabular min-w-0 shrink-[3] truncate', line ? 'found-line' : '')}
            >
              {line ?? note.filter(Boolean).join(' · ')}
            </span>
          </span>
        </div>
      </div>
      {layout.columns.map(({ label, className, text, title, href, cutsMiddle }) => (
        <div
          key={label}
          role="gridcell"
          className={cx('truncate text-muted', className)}
          title={title?.(item, whose) ?? undefined}
        >
          {href ? (
            <a
              href={href(item)}
              tabIndex={-1}
              draggable={false}
              className="rounded-xs text-inherit no-underline hover:text-text hover:underline hover:underline-offset-2"
            >
              <MiddleCut text={text(item, whose) ?? ''} />
            </a>
          ) : cutsMiddle ? (
            <MiddleCut text={text(item, whose) ?? ''} />
          ) : (
            text(item, whose)
          )}
        </div>
      ))}
      <div role="gridcell" className="flex justify-center">
        {layout.action ? layout.action(item) : <MenuButton name={item.name} />}
      </div>
    </div>
  );
});

export const EntryCheck = ({ item, selected }: EntryProps) => (
  <input
    type="checkbox"
    data-check
    tabIndex={-1}
    checked={selected}
    readOnly
    aria-label={t.selectNamed(item.name)}
    className="entry-check"
  />
);

export const NameLink = ({ item, layout, className }: EntryProps & { className: string }) => (
  <a
    href={layout.nameHref(item)}
    data-open
    tabIndex={-1}
    draggable={false}
    className={cx(
      'min-w-0 rounded-xs text-text no-underline hover:underline hover:underline-offset-2',
      className,
    )}
  >
    <MiddleCut text={item.name} />
  </a>
);

export const MenuButton = ({ name }: { name: string }) => (
  <button
    type="button"
    data-menu
    tabIndex={-1}
    aria-haspopup="menu"
    aria-label={t.actionsFor(name)}
    className="entry-menu flex size-7 items-center justify-center rounded-sm text-muted hover:bg-pressed hover:text-text pointer-coarse:size-11"
  >
    <EllipsisVertical aria-hidden size={16} />
  </button>
);
