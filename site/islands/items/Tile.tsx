import { memo } from 'react';
import { MiddleCut } from '../../components/MiddleCut.tsx';
import { LabelChips } from '../../components/LabelChip.tsx';
import { cx } from '../../lib/cx.ts';
import { formatDate } from '../../lib/format.ts';
import { SealBadge } from '../seals/SealBadge.tsx';
import { SharedMark } from '../sharing/SharedMark.tsx';
import { sizeText } from './columns.ts';
import { HeldMark } from './HeldMark.tsx';
import { NewMark } from './NewMark.tsx';
import { SentBackMark } from './SentBackMark.tsx';
import type { EntryProps } from './Row.tsx';
import { entryAttributes, EntryCheck, entryClass, MenuButton, NameLink } from './Row.tsx';
import { Thumbnail } from './Thumbnail.tsx';

/** One item of the grid view. */
export const Tile = memo(function Tile(props: EntryProps) {
  const { item, index, selected, layout } = props;
  return (
    <div
      {...entryAttributes(props)}
      aria-rowindex={index + 1}
      className={cx(
        'relative flex h-(--tile) flex-col overflow-hidden rounded-md border',
        selected ? 'border-accent-line' : 'border-line',
        entryClass(props),
      )}
    >
      <div role="gridcell" className="absolute top-1.5 left-1.5 z-10 flex">
        <EntryCheck {...props} />
      </div>
      <div role="rowheader" className="flex min-h-0 flex-1 flex-col">
        <div className="relative flex min-h-0 flex-1 items-center justify-center overflow-hidden bg-sunken">
          <Thumbnail item={item} />
          {item.labels && (
            <span className="tile-labels absolute inset-x-2 bottom-1.5 flex">
              <LabelChips labels={item.labels} />
            </span>
          )}
        </div>
        <div className="min-w-0 border-t border-line px-3 py-1.5">
          <span className="flex min-w-0 items-center gap-1.5">
            <NameLink {...props} className="flex flex-1 font-medium" />
            <NewMark item={item} />
            <SentBackMark item={item} />
            <HeldMark item={item} short />
            {item.seal && <SealBadge seal={item.seal} short />}
            <SharedMark id={item.id} />
          </span>
          <span className="tabular block truncate text-xs text-muted">
            {layout.place ? (
              <MiddleCut text={layout.place(item)} />
            ) : (
              `${sizeText(item)} · ${formatDate(item.modified_at)}`
            )}
          </span>
        </div>
      </div>
      <div role="gridcell" className="absolute top-1 right-1">
        <MenuButton name={item.name} />
      </div>
    </div>
  );
});
