import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { formatBytes } from '#server/text/format-bytes.ts';
import * as t from '#messages/preview.ts';
import { Failure } from './Failure.tsx';
import { Loading } from './Loading.tsx';
import { indented } from './formatJson.ts';
import type { ViewerProps } from './ImageViewer.tsx';
import { useMarks, useSought } from './useSought.ts';
import { readText, SHOWN_BYTES } from './readText.ts';

/** Extensions of aligned text, whose lines are not wrapped. */
const UNWRAPPED = new Set(['sql', 'fvu']);

/** A text file, shown verbatim; JSON is pretty-printed. */
export function TextViewer({ item, url, onRetry }: ViewerProps) {
  const size = item.file_size ?? 0;
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['link', item.id, 'text', url],
    queryFn: ({ signal }) => readText(url, size, signal),
    gcTime: 0,
  });
  const text = useRef<HTMLPreElement>(null);
  const sought = useSought();
  useMarks(text, sought, data);
  if (error) {
    const again = () => {
      onRetry();
      void refetch();
    };
    return <Failure title={t.failed} item={item} onRetry={again} />;
  }
  if (isPending) return <Loading />;
  return (
    <div className="absolute inset-0 overflow-auto px-16 py-6 max-md:px-3">
      <div className="mx-auto w-fit max-w-full min-w-[min(48rem,100%)] rounded-md bg-surface p-5">
        {size > SHOWN_BYTES && (
          <p className="mb-4 text-sm text-muted">{t.firstPart(formatBytes(SHOWN_BYTES), item.size)}</p>
        )}
        {/* A scrollable region must be focusable. */}
        <pre
          ref={text}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          aria-label={item.name}
          className={`overflow-x-auto font-mono text-sm outline-offset-8 select-text ${UNWRAPPED.has(item.file_type ?? '') ? 'whitespace-pre' : 'break-words whitespace-pre-wrap'}`}
        >
          {data === '' ? t.emptyFile : item.file_type === 'json' ? indented(data) : data}
        </pre>
      </div>
    </div>
  );
}
