import type { ArrivalState, ArrivalView, Reason, Verdict } from './contract.ts';

/** A row of `arrivals`. */
export interface ArrivalRow {
  id: number;
  firm_id: number;
  door: string;
  slot: number | null;
  batch: string | null;
  position: number;
  upload_id: string | null;
  name: string;
  size: number;
  sha256: string;
  crc32: number | null;
  original_at: string | null;
  state: ArrivalState;
  reason: Reason | null;
  blob_id: string | null;
  reservation_id: number | null;
  item_id: number | null;
  /** 1 for a file that was sent back: processes of the last release know nothing else of `judged`. */
  superseded: number;
  judged: Verdict | null;
  judged_reason: string | null;
  judged_at: string | null;
  sender: string;
  created_at: string;
  /** When it was filed; before that, the last attempt to file it. */
  touched_at: string;
}

/** What the office has decided; `superseded` says what was sent back, also by a process of the last release. */
function verdictOf(row: ArrivalRow): Pick<ArrivalView, 'judged' | 'judged_reason' | 'judged_at'> {
  const { superseded, judged, judged_reason, judged_at, touched_at } = row;
  if (superseded === 1) return { judged: 'returned', judged_reason, judged_at: judged_at ?? touched_at };
  return judged === 'accepted'
    ? { judged, judged_reason, judged_at }
    : { judged: null, judged_reason: null, judged_at: null };
}

export const toView = (row: ArrivalRow): ArrivalView => ({
  id: row.id,
  slot: row.slot,
  batch: row.batch,
  part: 1,
  name: row.name,
  size: row.size,
  state: row.state,
  reason: row.reason,
  item_id: row.item_id,
  ...verdictOf(row),
  created_at: row.created_at,
  filed_at: row.state === 'filed' ? row.touched_at : null,
});

/** What a link has received. @param rows all of it, since the PDFs of photos keep their numbers when one is taken back. */
export function toViews(rows: readonly ArrivalRow[]): ArrivalView[] {
  const pages = rows.filter(({ batch, item_id }) => batch !== null && item_id !== null);
  const parts = new Map<number | null, number>();
  for (const ofBatch of Map.groupBy(pages, ({ slot, batch }) => `${slot} ${batch}`).values()) {
    // The PDFs of a batch are added to the drive in their order.
    const files = [...new Set(ofBatch.map(({ item_id }) => item_id!))].toSorted((a, b) => a - b);
    for (const [index, id] of files.entries()) parts.set(id, index + 1);
  }
  return rows
    .filter(({ state }) => state !== 'refused')
    .map((row) => ({ ...toView(row), part: parts.get(row.item_id) ?? 1 }));
}
