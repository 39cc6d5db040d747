import type { RecentView } from '#server/documents/contract.ts';

/** Files of one folder that came with one upload. */
export interface Batch {
  kind: 'batch';
  /** Of the newest of them. */
  id: number;
  /** Newest first. */
  items: readonly RecentView[];
}
export type Entry = { kind: 'item'; id: number; item: RecentView } | Batch;

/** Fewer than this stand one by one. */
const LEAST = 4;
/** Milliseconds between two files of one upload. */
const PAUSE = 5 * 60_000;
/** Milliseconds between the coming of a file and its being noted. */
const NOTED = 60_000;

const timeOf = (iso: string): number => Date.parse(iso);

/** Was not opened or changed since it came. */
const justCame = ({ type, touched_at, uploaded_at }: RecentView): boolean =>
  type === 'file' && Math.abs(timeOf(touched_at) - timeOf(uploaded_at)) < NOTED;

/** Puts together what one upload brought into one folder, so that it does not push everything else out of sight. */
export function inBatches(items: readonly RecentView[]): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at < items.length;) {
    const first = items[at]!;
    let end = at + 1;
    if (justCame(first)) {
      for (; end < items.length; end += 1) {
        const [last, next] = [items[end - 1]!, items[end]!];
        const together = next.parent_id === first.parent_id && justCame(next);
        if (!together || timeOf(last.touched_at) - timeOf(next.touched_at) > PAUSE) break;
      }
    }
    const some = items.slice(at, end);
    if (some.length >= LEAST) entries.push({ kind: 'batch', id: first.id, items: some });
    else entries.push(...some.map((item): Entry => ({ kind: 'item', id: item.id, item })));
    at = end;
  }
  return entries;
}
