import { cx } from '../lib/cx.ts';
import { cut } from '../lib/middleCut.ts';

export interface MiddleCutProps {
  text: string;
  className?: string;
}

/**
 * A name that gives way in its middle when room is short, by CSS alone: the head shrinks with an ellipsis, the tail
 * does not. Readers and the pointer get the whole name.
 */
export function MiddleCut({ text, className }: MiddleCutProps) {
  const [head, tail] = cut(text);
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
