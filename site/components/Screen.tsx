import type { ReactNode, Ref } from 'react';
import { cx } from '../lib/cx.ts';

export interface ScreenProps {
  /** What the sidebar and the tab call the screen. */
  title: string;
  /** Where within it one is: read out with the title. */
  within?: string | undefined;
  /** How much there is, beside the title. */
  note?: ReactNode;
  /** Figures or a path, after the title. */
  beside?: ReactNode;
  /**
   * What can be done here, the main action first. It stands at the left under the title, since toasts come at the top
   * right, and on a phone over the title.
   */
  bar?: ReactNode;
  /** Stays at the end of the bar, whatever stands in it. */
  barEnd?: ReactNode;
  /** Banners: they stay while the body scrolls. */
  alerts?: ReactNode;
  scroller?: Ref<HTMLDivElement>;
  /** What stands beside the body, which gets narrower by it. */
  side?: ReactNode;
  /** The body of a page to read is not wider than can be read. */
  page?: boolean;
  children: ReactNode;
}

/** The frame of every signed-in screen: title, bar and a body that scrolls, on the same left edge everywhere. */
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
      // A page to read may hold nothing that takes the focus, and is scrolled by keyboard all the same.
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
