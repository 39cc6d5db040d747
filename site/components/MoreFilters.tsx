import type { ReactNode } from 'react';
import { useId, useState } from 'react';
import { SlidersHorizontal } from 'lucide-react';
import * as common from '#messages/common.ts';
import { cx } from '../lib/cx.ts';
import { IconButton } from './IconButton.tsx';

export interface MoreFiltersProps {
  /** Filters that are set. */
  count: number;
  children: ReactNode;
}

/** The filters beside a search field. On a phone a button shows them, which leaves the space to the list. */
export function MoreFilters({ count, children }: MoreFiltersProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <IconButton
        label={count > 0 ? common.filtersInUse(count) : common.filters}
        variant="secondary"
        active={count > 0}
        aria-expanded={open}
        aria-controls={id}
        onPress={() => setOpen(!open)}
        className="sm:hidden!"
      >
        <SlidersHorizontal aria-hidden size={16} />
      </IconButton>
      <div
        id={id}
        className={cx('flex w-full flex-wrap items-center gap-2 sm:contents', !open && 'max-sm:hidden')}
      >
        {children}
      </div>
    </>
  );
}
