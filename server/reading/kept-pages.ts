import type { Scans } from './ocr/scanner.ts';
import type { Finder } from './find.ts';
import type { ReadingQueue } from './queue.ts';
import type { ScanQueue } from './ocr/queue.ts';

/** Of a page: see `PageText`; a page that was read as a picture says how sure its words are. */
export interface KnownPage {
  text: string;
  boxes: number[];
  sure?: number[] | undefined;
}

/** What is known of a content's pages, all of it or nothing. */
export type KnownPages =
  | {
      pages: KnownPage[];
      /** Changes when it is read again. */
      version: string;
    }
  | { why: 'waiting' | 'locked' | 'unknown' };

/** Tells what is known of whole contents, for who must be sure that nothing of them is unknown. */
export function createKnown(use: {
  queue: Pick<ReadingQueue, 'row'>;
  pages: Pick<ScanQueue, 'failedOf'>;
  finder: Pick<Finder, 'withWords'>;
  on: boolean;
  scans: Scans;
}) {
  return async function known(firmId: number, sha256: string): Promise<KnownPages> {
    const row = await use.queue.row(firmId, sha256);
    if (!row || row.state === 'gone' || row.state === 'waiting')
      return { why: use.on ? 'waiting' : 'unknown' };
    if (row.state === 'refused') return { why: row.reason === 'locked' ? 'locked' : 'unknown' };
    if (row.scan === 'waiting') return { why: use.scans === 'off' ? 'unknown' : 'waiting' };
    const whole = row.kind === 'page' && row.cut === null && (await use.pages.failedOf(row.id)) === 0;
    if (!whole || !['read', 'no_text'].includes(row.state)) return { why: 'unknown' };
    const count = row.pages ?? 1;
    const version = `${row.blob_id ?? row.state} ${row.read_at ?? ''}`;
    const kept = row.blob_id
      ? await use.finder.withWords(firmId, { sha256, blob_id: row.blob_id })
      : { text: { pages: [] }, words: [] };
    if (!kept) return { why: 'waiting' };
    const pages = Array.from({ length: count }, (): KnownPage => ({ text: '', boxes: [] }));
    for (const [at, { page, text }] of kept.text.pages.entries()) {
      const { boxes = [], sure } = kept.words[at] ?? {};
      if (page >= 1 && page <= count) pages[page - 1] = { text, boxes, sure };
    }
    return { pages, version };
  };
}
