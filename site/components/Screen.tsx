import type { ReactNode, Ref } from 'react';
import { cx } from '../lib/cx.ts';

export interface ScreenProps {
  /** The screen's name, as in the sidebar and the tab. */
  title: string;
  /** The place within the screen, e.g. a folder; only for screen readers. */
  within?: string | undefined;
  /** A count beside the title. */
  note?: ReactNode;
  /** Figures or breadcrumbs after the title. */
  beside?: ReactNode;
  /**
   * The actions, the main one first. They are at the left below the title, since toasts cover the top right corner, and
   * on a phone the title.
   */
  bar?: ReactNode;
  /** Controls at the end of the bar; they stay there when the bar wraps. */
  barEnd?: ReactNode;
  /** Banners above the body; they do not scroll with it. */
  alerts?: ReactNode;
  /** The scrolling element. */
  scroller?: Ref<HTMLDivElement>;
  /** A panel beside the body. */
  side?: ReactNode;
  /** Limits the body to a readable width, for pages of text and forms. */
  page?: boolean;
  children: ReactNode;
}

/** The frame of every signed-in screen: title, action bar and a scrolling body, aligned at the same left edge. */
export function Screen({
  title,
  within,
  note,
  beside,
  bar,
  barEnd,
  alerts,
  scroller,
  side,
  page,
  children,
}: ScreenProps) {
  const body = (
    <div
      ref={scroller}
      className="screen-body"
      data-scroller
      // A page of text may have no focusable element: make it focusable, so that the keyboard can scroll it.
      {...(page ? { tabIndex: 0, role: 'region', 'aria-label': title } : { id: 'list', tabIndex: -1 })}
    >
      <div className={cx('screen-column', page && 'screen-page')}>{children}</div>
    </div>
  );
  return (
    <div className="screen">
      <header className="screen-head">
        <div className="screen-title">
          <h1>
            {title}
            {within && <span className="sr-only">: {within}</span>}
          </h1>
          {note && <p className="tabular shrink-0 text-sm text-muted">{note}</p>}
          {beside}
        </div>
        {bar && (
          <div className="screen-bar">
            {barEnd ? <div className="screen-bar-main">{bar}</div> : bar}
            {barEnd}
          </div>
        )}
        {alerts}
      </header>
      {side ? (
        <div className="screen-main">
          {body}
          {side}
        </div>
      ) : (
        body
      )}
    </div>
  );
}
