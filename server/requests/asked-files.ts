import type { Knex } from 'knex';
import type { ArrivalView } from '#server/collecting/contract.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import type { AskedFile, ReturnedFile } from './contract.ts';
import type { RequestsDependencies } from './dependencies.ts';
import type { RequestFacts } from './doors.ts';
import type { RowRecord } from './model.ts';
import { sentName } from './model.ts';

type Pages = [first: ArrivalView, ...others: ArrivalView[]];

/** The arrivals of each file of a row; photos of one document are its pages. */
export const filesOf = ({ id }: RowRecord, all: readonly ArrivalView[]): Pages[] => {
  // In the order of the folder, since photos that are sent together arrive in any order.
  const ofRow = all
    .filter(({ slot }) => slot === id)
    .toSorted((a, b) => (a.item_id ?? Infinity) - (b.item_id ?? Infinity) || a.id - b.id);
  const byFile = Map.groupBy(ofRow, ({ id, batch, item_id }) =>
    batch === null ? id : `${batch} ${item_id}`,
  );
  return [...byFile.values()] as Pages[];
};

/** The files received for a row that were not sent back. @param untouched see `untouchedFiles`. */
export const receivedFor = (
  row: RowRecord,
  all: readonly ArrivalView[],
  untouched: ReadonlySet<number> = new Set(),
): AskedFile[] =>
  filesOf(row, all).flatMap((pages) => {
    const [first] = pages;
    if (first.judged === 'returned') return [];
    const photos = first.batch === null ? 0 : pages.length;
    return {
      id: first.id,
      name: sentName(row, first),
      size: photos > 0 ? '' : formatBytes(first.size),
      photos,
      locked: first.reason === 'locked',
      accepted: row.state === 'accepted' || first.judged === 'accepted',
      may_take_back: row.state !== 'accepted' && untouched.has(first.id),
    };
  });

/** How many files have come after a moment and were not sent back. */
export const countSince = (rows: readonly RowRecord[], all: readonly ArrivalView[], at: string): number => {
  const newer = all.filter(({ created_at }) => created_at > at);
  return rows.reduce((sum, row) => sum + receivedFor(row, newer).length, 0);
};

/** The files of a row that the office has sent back; none once it has accepted the row without them. */
export const returnedOf = (row: RowRecord, all: readonly ArrivalView[]): ReturnedFile[] =>
  row.state === 'accepted'
    ? []
    : filesOf(row, all).flatMap(([first]) =>
        first.judged === 'returned'
          ? {
              id: first.id,
              name: sentName(row, first),
              // The reason for the whole row is told once.
              reason: first.judged_reason === row.reason ? null : first.judged_reason,
            }
          : [],
      );

/**
 * The arrivals in the drive that nobody in the office has judged, opened, or changed in any way that the history records: these their sender
 * may take back if they can go to Trash.
 */
export async function untouchedFiles(
  { incoming, audit }: Pick<RequestsDependencies, 'incoming' | 'audit'>,
  db: Knex,
  { firm_id }: Pick<RequestFacts, 'firm_id'>,
  arrivals: readonly ArrivalView[],
): Promise<Set<number>> {
  const filed = arrivals.filter(({ judged, item_id }) => judged === null && item_id !== null);
  const firm = { firmId: firm_id };
  const ids = filed.map(({ item_id }) => item_id!);
  const unseen = await incoming.unseen(db, firm, ids);
  const touched = await audit.touched(db, unseen);
  const untouched = unseen.filter((id) => !touched.has(id));
  const deletable = new Set(await incoming.deletable(db, firm, untouched));
  return new Set(filed.flatMap(({ id, item_id }) => (deletable.has(item_id!) ? id : [])));
}
