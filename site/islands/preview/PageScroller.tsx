import type { ReactNode, RefObject } from 'react';
import * as t from '#messages/preview.ts';
import { useScrollKeys } from './useScrollKeys.ts';

interface PageScrollerProps {
  ref: RefObject<HTMLDivElement | null>;
  onScroll: () => void;
  children: ReactNode;
}

/** A vertical strip of pages that scrolls, by keyboard too. */
export function PageScroller({ ref, onScroll, children }: PageScrollerProps) {
  useScrollKeys(ref, (pages, top) => pages.scrollBy({ top }));
  return (
    <div
      ref={ref}
      data-pages
      onScroll={onScroll}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that arrows and page keys scroll it
      tabIndex={0}
      aria-label={t.pages}
      role="group"
      className="pdf-pages"
    >
      {children}
    </div>
  );
}
