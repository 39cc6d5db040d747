import type { ReactNode } from 'react';
import { cx } from '../lib/cx.ts';
import { splitMiddle } from '../lib/truncateMiddle.ts';

export interface MiddleCutProps {
  text: string;
  className?: string;
  /** Renders the part of the text that starts at this index, e.g. with highlights. */
  render?: (part: string, start: number) => ReactNode;
}

/**
 * A text that is truncated in its middle when it does not fit, by CSS alone: the head shrinks with an ellipsis, the tail
 * does not. Screen readers and the tooltip get the full text.
 */
export function MiddleCut({ text, className, render = (part) => part }: MiddleCutProps) {
  const [head, tail] = splitMiddle(text);
  return (
    <span dir="auto" title={text} className={cx('inline-flex max-w-full min-w-0 align-bottom', className)}>
      {tail ? (
        <>
          <span className="sr-only">{text}</span>
          <span aria-hidden="true" className="min-w-[2ch] shrink truncate whitespace-pre">
            {render(head, 0)}
          </span>
          <span aria-hidden="true" className="max-w-full shrink-0 overflow-hidden whitespace-pre">
            {render(tail, head.length)}
          </span>
        </>
      ) : (
        <span className="truncate whitespace-pre">{render(head, 0)}</span>
      )}
    </span>
  );
}
