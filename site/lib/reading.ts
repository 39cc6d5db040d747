import type {
  ReadingProgress,
  ScanWords,
  TextHit,
  TextHits,
  TextStateView,
  TextView,
} from '#server/reading/contract.ts';
import { readAgainUrl, textStateUrl, textUrl, wordsUrl } from '#server/reading/contract.ts';
import * as t from '#messages/reading.ts';
import { api } from './api.ts';
import type { TextMatch } from './driveLocation.ts';
import { driveHref } from './driveLocation.ts';

/** The API of extracted text and search inside documents. Each call rejects with an ApiError. */
export const readingCalls = {
  inside: (query: string, limit: number, signal: AbortSignal, folder: number | null = null) =>
    api.get<TextHits>('/api/documents/search/inside', {
      query: { query, limit, ...(folder !== null && { folder }) },
      signal,
    }),
  state: (id: number, signal: AbortSignal) => api.get<TextStateView>(textStateUrl(id), { signal }),
  text: (id: number, signal: AbortSignal) => api.get<TextView>(textUrl(id), { signal }),
  words: (id: number, signal: AbortSignal) => api.get<ScanWords>(wordsUrl(id), { signal }),
  readAgain: (id: number) => api.post<TextStateView>(readAgainUrl(id), {}),
  progress: (signal: AbortSignal) => api.get<ReadingProgress>('/api/reading', { signal }),
  pause: (paused: boolean) => api.post<ReadingProgress>('/api/reading/pause', { paused }),
};

/** A label for the match's page, slide or sheet; '' for a file without pages. */
export function pageLabel({ kind, page, label }: Pick<TextHit, 'kind' | 'page' | 'label'>): string {
  if (kind === 'page') return t.page(page);
  if (kind === 'slide') return t.slide(page);
  return kind === 'sheet' && label !== '' ? t.sheet(label) : '';
}

/** Case-insensitively distinct words, since the find field shows them all. */
const distinct = (words: readonly string[]): string[] => [
  ...new Map(words.map((word) => [word.toLowerCase(), word])).values(),
];

/** The URL of the preview at the matching page, with the words to highlight. */
export const hitHref = (hit: TextHit): string =>
  driveHref({ folderId: hit.item.parent_id, previewId: hit.item.id, textMatch: textMatchOf(hit) });

/** The match for the preview. */
export const textMatchOf = ({ page, words }: Pick<TextHit, 'page' | 'words'>): TextMatch => ({
  page,
  words: distinct(words),
});
