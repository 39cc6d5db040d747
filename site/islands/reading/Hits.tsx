import { useMemo, useState } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { TextHit } from '#server/reading/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/reading.ts';
import { Button } from '../../components/Button.tsx';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { Line } from './Line.tsx';
import { useHydrated } from '../../lib/useHydrated.ts';
import { hitHref, pageLabel, readingCalls } from '../../lib/reading.ts';

const FIRST = 6;
const MOST = 100;

const insideKey = (search: string, limit: number) => ['inside', search, limit] as const;

/** The text matches of a search, by document id. */
export function useLines(search: string, folderId: number | null): ReadonlyMap<number, TextHit> {
  const inBrowser = useHydrated();
  const { data } = useQuery({
    queryKey: [...insideKey(search, MOST), folderId],
    queryFn: ({ signal }) => readingCalls.inside(search, MOST, signal, folderId),
    enabled: search.trim().length >= 2,
  });
  return useMemo(
    () => new Map(inBrowser && data ? data.hits.map((hit) => [hit.item.id, hit]) : []),
    [inBrowser, data],
  );
}

function useHits(search: string, limit: number) {
  const inBrowser = useHydrated();
  const found = useQuery({
    queryKey: insideKey(search, limit),
    queryFn: ({ signal }) => readingCalls.inside(search, limit, signal),
    enabled: search.trim().length >= 2,
    placeholderData: keepPreviousData,
  });
  return { data: inBrowser ? found.data : undefined, isFetching: found.isFetching };
}

/** The number of documents that match by their text, as far as requested; null while unknown. */
export function useFoundInside(search: string | null): { count: number; more: boolean } | null {
  const { data } = useHits(search ?? '', FIRST);
  return search === null || !data ? null : { count: data.hits.length, more: data.more };
}

/** The documents that match by their text, above the results by name, each with the matching line. */
export function Hits({ search }: { search: string }) {
  const [limit, setLimit] = useState(FIRST);
  const { data, isFetching } = useHits(search, limit);
  // The section is optional: on failure the results below still work.
  if (!data || data.hits.length === 0) return null;
  return (
    <section aria-labelledby="found-inside" className="mb-3 rounded-lg border border-line px-2 pt-2 pb-1">
      <h2 id="found-inside" className="px-2 text-xs font-medium text-muted">
        {t.inside}
      </h2>
      <ul>
        {data.hits.map((hit) => (
          <li key={hit.item.id}>
            <Hit hit={hit} />
          </li>
        ))}
      </ul>
      {data.more && limit < MOST && (
        <Button
          variant="quiet"
          size="sm"
          busy={isFetching}
          onPress={() => setLimit(Math.min(MOST, limit + 20))}
          className="mb-1"
        >
          {t.showMore}
        </Button>
      )}
    </section>
  );
}

function Hit({ hit }: { hit: TextHit }) {
  const { item, line } = hit;
  const about = [pageLabel(hit), item.client_name, item.path || common.myDrive].filter(Boolean).join(' · ');
  return (
    <a
      href={hitHref(hit)}
      className="flex min-h-11 min-w-0 items-start gap-2.5 rounded-sm px-2 py-1.5 text-text no-underline hover:bg-hover"
    >
      <FileGlyph fileType={item.file_type} size={20} className="mt-0.5 shrink-0" />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          <span className="min-w-0 truncate font-medium">{item.name}</span>
          <span className="min-w-0 truncate text-xs text-muted">{about}</span>
        </span>
        <span dir="auto" className="line-clamp-2 text-sm break-words text-muted">
          <Line pieces={line} />
        </span>
      </span>
    </a>
  );
}
