import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import type { ScanWordsPage } from '#server/reading/contract.ts';
import type { Box } from '#server/recognition/contract.ts';
import { readingCalls } from '../../lib/reading.ts';
import type { TextMatch } from '../../lib/driveLocation.ts';
import { findEach } from './find.ts';
import { useSource } from './source.ts';

/** The OCR text of scanned pages, by page, requested on demand. */
export type ScanText = () => Promise<ReadonlyMap<number, ScanWordsPage>>;

const FRESH = 60_000;
const NONE: ReadonlyMap<number, ScanWordsPage> = new Map();

/** Empty for an earlier version, since OCR text exists only for the current one. */
export function useScanText(item: ItemView): ScanText {
  const cache = useQueryClient();
  const isPresent = useSource(item) === `/api/documents/${item.id}`;
  const { id, modified_at: changed } = item;
  return useCallback(async () => {
    if (!isPresent) return NONE;
    const { pages } = await cache.fetchQuery({
      queryKey: ['scan-words', id, changed],
      queryFn: ({ signal }) => readingCalls.words(id, signal),
      staleTime: FRESH,
    });
    return new Map(pages.map((page) => [page.page, page]));
  }, [cache, isPresent, id, changed]);
}

/** The words of a page, each with its box. */
export function wordsOf({
  text,
  boxes,
}: Pick<ScanWordsPage, 'text' | 'boxes'>): { text: string; box: Box }[] {
  return (text.match(/\S+/g) ?? []).map((word, index) => {
    const [left = 0, top = 0, width = 0, height = 0] = boxes.slice(index * 4, index * 4 + 4);
    return { text: word, box: [left, top, width, height] };
  });
}

/** The boxes of the wanted words on a page, each searched separately. */
function placesOf(page: Pick<ScanWordsPage, 'text' | 'boxes'>, sought: readonly string[]): Box[] {
  const words = wordsOf(page);
  let position = 0;
  const spans = words.map(({ text, box }) => {
    const start = position;
    position += text.length + 1;
    return { start, end: start + text.length, box };
  });
  const pageText = words.map(({ text }) => text).join(' ');
  const matches = findEach([pageText], sought);
  return spans
    .filter(({ start, end }) => matches.some((match) => match.start < end && start < match.end))
    .map(({ box }) => box);
}

/** The boxes of the matched words on a picture; empty if the file was not opened from a text match. */
export function usePlaces(item: ItemView, sought: TextMatch | null, page: number): readonly Box[] {
  const scanText = useScanText(item);
  const [places, setPlaces] = useState<readonly Box[]>([]);
  useEffect(() => {
    let isUnmounted = false;
    const load = async () => {
      const scanned = sought && sought.words.length > 0 ? (await scanText()).get(page) : undefined;
      if (!isUnmounted) setPlaces(scanned && sought ? placesOf(scanned, sought.words) : []);
    };
    // If the words cannot be loaded, the picture is shown without highlights.
    load().catch(() => undefined);
    return () => {
      isUnmounted = true;
    };
  }, [scanText, sought, page]);
  return places;
}
