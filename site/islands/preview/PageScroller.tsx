import type { ReactNode, Ref } from 'react';
import * as t from '#messages/preview.ts';

interface PageScrollerProps {
  ref: Ref<HTMLDivElement>;
  onScroll: () => void;
  children: ReactNode;
}

/** A vertical strip of pages that scrolls, by keyboard too. */
export const PageScroller = ({ ref, onScroll, children }: PageScrollerProps) => (
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
