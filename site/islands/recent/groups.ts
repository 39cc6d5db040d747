import type { RecentView } from '#server/documents/contract.ts';

/** Files that one upload added to one folder. */
export interface Batch {
  kind: 'batch';
  /** The id of the newest file. */
  id: number;
  /** Newest first. */
  items: readonly RecentView[];
}
export type Entry = { kind: 'item'; id: number; item: RecentView } | Batch;

/** Minimum files of a batch; fewer are listed one by one. */
const MIN_BATCH = 4;
/** Maximum milliseconds between two files of one upload. */
const MAX_GAP_MS = 5 * 60_000;
/** Maximum milliseconds between a file's upload and the `touched_at` that the upload itself causes. */
const TOUCH_DELAY_MS = 60_000;

const timeOf = (iso: string): number => Date.parse(iso);

/** Whether the file was not opened or changed since its upload. */
const isUntouched = ({ type, touched_at, uploaded_at }: RecentView): boolean =>
  type === 'file' && Math.abs(timeOf(touched_at) - timeOf(uploaded_at)) < TOUCH_DELAY_MS;

/** Groups the files that one upload added to one folder, so that they do not push everything else out of sight. */
export function groupByUpload(items: readonly RecentView[]): Entry[] {
  const entries: Entry[] = [];
  for (let start = 0; start < items.length;) {
    const first = items[start]!;
    let end = start + 1;
    if (isUntouched(first)) {
      for (; end < items.length; end += 1) {
        const [last, next] = [items[end - 1]!, items[end]!];
        const together = next.parent_id === first.parent_id && isUntouched(next);
        if (!together || timeOf(last.touched_at) - timeOf(next.touched_at) > MAX_GAP_MS) break;
      }
    }
    const batch = items.slice(start, end);
    if (batch.length >= MIN_BATCH) entries.push({ kind: 'batch', id: first.id, items: batch });
    else entries.push(...batch.map((item): Entry => ({ kind: 'item', id: item.id, item })));
    start = end;
  }
  return entries;
}
