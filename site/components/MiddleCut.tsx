import { cx } from '../lib/cx.ts';
import { splitMiddle } from '../lib/truncateMiddle.ts';

export interface MiddleCutProps {
  text: string;
  className?: string;
}

/**
 * A text that is truncated in its middle when it does not fit, by CSS alone: the head shrinks with an ellipsis, the tail
 * does not. Screen readers and the tooltip get the full text.
 */
export function MiddleCut({ text, className }: MiddleCutProps) {
  const [head, tail] = splitMiddle(text);
  return (
    <span dir="auto" title={text} className={cx('inline-flex max-w-full min-w-0 align-bottom', className)}>
      {tail ? (
        <>
          <span className="sr-only">{text}</span>
          <span aria-hidden="true" className="min-w-[2ch] shrink truncate whitespace-pre">
            {head}
          </span>
          <span aria-hidden="true" className="max-w-full shrink-0 overflow-hidden whitespace-pre">
            {tail}
          </span>
        </>
      ) : (
        <span className="truncate whitespace-pre">{head}</span>
      )}
    </span>
  );
}
