import type { Knex } from 'knex';
import type { Scans } from './ocr/scanner.ts';
import type { TextSearch } from './text-search.ts';
import type { ReadingQueue, TextRow } from './queue.ts';
import type { ScanQueue } from './ocr/queue.ts';

/** The text of a page and the boxes of its words, see `PageText`; `sure` is present if it was read as a picture. */
interface KnownPage {
  text: string;
  boxes: number[];
  sure?: number[] | undefined;
}

/** All pages of a content, or why they are not all known. */
export type KnownPages =
  | {
      pages: KnownPage[];
      /** Changes when the content is read again. */
      version: string;
    }
  | { why: 'waiting' | 'locked' | 'unknown' };

const versionOf = ({ state, blob_id, read_at }: Pick<TextRow, 'state' | 'blob_id' | 'read_at'>): string =>
  `${blob_id ?? state} ${read_at ?? ''}`;

/** Whether the known pages of a content are still of this version, and stay so until the transaction ends. */
export async function isKnown(
  trx: Knex.Transaction,
  firm_id: number,
  sha256: string,
  version: string,
): Promise<boolean> {
  const row: Pick<TextRow, 'state' | 'blob_id' | 'read_at' | 'scan'> | undefined = await trx('document_texts')
    .where({ firm_id, sha256 })
    .whereIn('state', ['read', 'no_text'])
    .forUpdate()
    .first('state', 'blob_id', 'read_at', 'scan');
  return row !== undefined && row.scan !== 'waiting' && versionOf(row) === version;
}

/** Loads all pages of a content, for a caller who must be sure that no page is missing. */
export function createKnownPages(dependencies: {
  queue: Pick<ReadingQueue, 'row'>;
  pages: Pick<ScanQueue, 'failedOf'>;
  finder: Pick<TextSearch, 'loadTextAndWords'>;
  on: boolean;
  scans: Scans;
}) {
  return async function knownPages(firmId: number, sha256: string): Promise<KnownPages> {
    const row = await dependencies.queue.row(firmId, sha256);
    if (!row || row.state === 'gone' || row.state === 'waiting')
      return { why: dependencies.on ? 'waiting' : 'unknown' };
    if (row.state === 'refused') return { why: row.reason === 'locked' ? 'locked' : 'unknown' };
    if (row.scan === 'waiting') return { why: dependencies.scans === 'off' ? 'unknown' : 'waiting' };
    const isComplete =
      row.kind === 'page' && row.cut === null && (await dependencies.pages.failedOf(row.id)) === 0;
    if (!isComplete || !['read', 'no_text'].includes(row.state)) return { why: 'unknown' };
    const count = row.pages ?? 1;
    const version = versionOf(row);
    const stored = row.blob_id
      ? await dependencies.finder.loadTextAndWords(firmId, { sha256, blob_id: row.blob_id })
      : { text: { pages: [] }, words: [] };
    if (!stored) return { why: 'waiting' };
    const pages = Array.from({ length: count }, (): KnownPage => ({ text: '', boxes: [] }));
    for (const [index, { page, text }] of stored.text.pages.entries()) {
      const { boxes = [], sure } = stored.words[index] ?? {};
      if (page >= 1 && page <= count) pages[page - 1] = { text, boxes, sure };
    }
    return { pages, version };
  };
}
