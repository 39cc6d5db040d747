import { useQuery } from '@tanstack/react-query';
import type { ItemView } from '#server/documents/contract.ts';
import type { FieldView } from '#server/fields/contract.ts';
import * as t from '#messages/review.ts';
import { Skeleton } from '../../components/Skeleton.tsx';
import { readingCalls } from '../../lib/reading.ts';
import { findSourceLine } from './findSourceLine.ts';

/** The line of text that a value was read from, for files without page images. */
export function SourceLine({ item, field }: { item: ItemView; field: FieldView }) {
  const { data, error } = useQuery({
    queryKey: ['text', item.id],
    queryFn: ({ signal }) => readingCalls.text(item.id, signal),
  });
  if (!data && !error) return <Skeleton className="h-11 w-full" />;
  const line = data ? findSourceLine(data.texts, field) : null;
  if (line === null) return field.raw === '' ? <p className="text-muted">{t.noLineOfText}</p> : null;
  return (
    <figure className="rounded-md border border-line bg-sunken px-3 py-2.5">
      <figcaption className="text-xs text-muted">{t.lineOfText}</figcaption>
      <p dir="auto" className="mt-0.5 line-clamp-4 break-words whitespace-pre-line">
        {line}
      </p>
    </figure>
  );
}
